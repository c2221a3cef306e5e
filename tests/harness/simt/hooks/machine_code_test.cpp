// Instructions of basic blocks, from listings as objdump prints them.

#include "harness/simt/hooks/machine_code.hpp"

#include <gtest/gtest.h>

#include <string>

namespace lockstep::hook_tests {
namespace {

using simt::hooks::BlockCode;
using simt::hooks::blocks_of;

// A block that begins at 1005, with these lines behind the call that begins it.
BlockCode block_of(std::string const& lines) {
    auto const blocks = blocks_of(
        "0000000000001000 <kernel>:\n/home/user/kernel.cu:7\n"
        "    1000:\tcall   1040 <__sanitizer_cov_trace_pc@plt>\n" +
        lines);
    EXPECT_TRUE(blocks.contains(0x1005)) << lines;
    return blocks.empty() ? BlockCode{} : blocks.begin()->second;
}

TEST(MachineCode, copies_and_the_instrumentation_weigh_nothing) {
    BlockCode const code = block_of(
        "    1005:\tmov    %rax,%rdi\n"
        "    1008:\tcall   1090 <__tsan_read4@plt>\n"
        "    100d:\tmovss  (%rax),%xmm0\n"
        "    1011:\tmovss  %xmm0,0x8(%rsp)\n"
        "    1016:\taddss  0x4(%rip),%xmm0        # 2000 <constants>\n");
    EXPECT_EQ(code.instructions, 2u);
    EXPECT_EQ(code.accesses, 1u);
    EXPECT_FALSE(code.has_calls);
}

TEST(MachineCode, divisions_and_functions_of_the_library_weigh_more) {
    EXPECT_EQ(block_of("    1005:\tidiv   %ecx\n").instructions, 20u);
    BlockCode const code = block_of("    1005:\tcall   1100 <expf@plt>\n");
    EXPECT_EQ(code.instructions, 8u);
    EXPECT_TRUE(code.has_calls);
}

TEST(MachineCode, an_atomic_is_a_call) {
    EXPECT_TRUE(block_of("    1005:\tcall   1100 <__tsan_atomic32_fetch_add@plt>\n").has_calls);
}

TEST(MachineCode, a_row_of_instructions_of_a_header_weighs_one) {
    BlockCode const code = block_of(
        "    1005:\tadd    $0x1,%eax\n"
        "/root/include/harness/simt/cuda_api/narrow_float.hpp:12 (discriminator 2)\n"
        "    1008:\tshl    $0xd,%eax\n"
        "    100b:\tor     %ecx,%eax\n"
        "    100d:\tjne    1020 <kernel+0x20>\n");
    EXPECT_EQ(code.instructions, 2u);
    EXPECT_TRUE(code.branches_in_a_header);
}

// CUB's functions of a warp are shuffles on a GPU; those of a block have code like the kernel's.
TEST(MachineCode, only_functions_of_a_warp_are_intrinsics_among_libraries) {
    std::string const code =
        "    1005:\tadd    $0x1,%eax\n"
        "    1008:\tdiv    %ecx\n"
        "    100a:\tjne    1020 <kernel+0x20>\n";
    BlockCode const of_warp = block_of("/root/include/harness/simt/cuda_api/cub_warp.hpp:12\n" + code);
    EXPECT_EQ(of_warp.instructions, 1u);
    EXPECT_TRUE(of_warp.is_intrinsic && of_warp.branches_in_a_header);
    BlockCode const of_block = block_of("/root/include/harness/simt/cuda_api/cub_block.hpp:12\n" + code);
    EXPECT_EQ(of_block.instructions, 3u);
    EXPECT_FALSE(of_block.is_intrinsic || of_block.branches_in_a_header);
}

TEST(MachineCode, blocks_end_where_the_next_begins) {
    auto const blocks = blocks_of(
        "0000000000001000 <kernel>:\n"
        "    1000:\tcall   1040 <__sanitizer_cov_trace_pc@plt>\n"
        "    1005:\tadd    %ecx,%eax\n"
        "    1007:\tjne    1010 <kernel+0x10>\n"
        "    1009:\tcall   1040 <__sanitizer_cov_trace_pc@plt>\n"
        "    100e:\tret\n"
        "\n"
        "0000000000001020 <other>:\n"
        "    1020:\tadd    %ecx,%eax\n");
    ASSERT_EQ(blocks.size(), 2u);
    EXPECT_EQ(blocks.at(0x1005).instructions, 2u);
    EXPECT_FALSE(blocks.at(0x1005).branches_in_a_header);
    EXPECT_EQ(blocks.at(0x100e).instructions, 0u);
}

TEST(MachineCode, what_is_no_listing_has_no_blocks) {
    for (char const* text : {"", "\n", "objdump: cannot open file\n", "    zz:\tcall\n", ":\t", "    1000:\t"}) {
        EXPECT_TRUE(blocks_of(text).empty()) << text;
    }
}

}  // namespace
}  // namespace lockstep::hook_tests
