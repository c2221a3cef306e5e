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

// A GPU's LOP3 has three inputs: (eax ^ ecx) ^ edx is one instruction, and a further operation begins the next one.
TEST(MachineCode, a_logical_operation_takes_in_the_one_before) {
    std::string const two = "    1005:\txor    %ecx,%eax\n    1007:\tand    %edx,%eax\n";
    EXPECT_EQ(block_of(two).instructions, 1u);
    EXPECT_EQ(block_of(two + "    1009:\tor     %esi,%eax\n").instructions, 2u);
    EXPECT_EQ(block_of(two + "    1009:\tor     %esi,%eax\n    100b:\txor    $0x7,%eax\n").instructions, 2u);
    EXPECT_EQ(block_of("    1005:\txor    %ecx,%eax\n    1007:\tmov    %eax,%ebx\n    1009:\txor    %ebx,%edx\n")
                  .instructions,
              1u)
        << "of a copy";
    EXPECT_EQ(block_of("    1005:\txor    %ecx,%eax\n    1007:\tadd    $0x1,%eax\n    100a:\txor    %edx,%eax\n")
                  .instructions,
              3u)
        << "a sum is between";
    EXPECT_EQ(block_of("    1005:\txor    %ecx,%eax\n    1007:\txor    %edx,%ebx\n").instructions, 2u);
    EXPECT_EQ(block_of("    1005:\txor    %eax,%eax\n    1007:\txor    %edx,%eax\n").instructions, 2u) << "zero";
}

TEST(MachineCode, what_a_gpu_has_in_a_register_weighs_nothing) {
    EXPECT_EQ(block_of("    1005:\tdata16 lea 0x20(%rip),%rdi        # 2f98 <threadIdx@Base>\n").instructions, 0u);
    EXPECT_EQ(block_of("    1005:\tlea    0x20(%rip),%rdi        # 2f98 <table>\n").instructions, 1u);
    EXPECT_EQ(block_of("    1005:\tshr    $0x20,%rax\n").instructions, 0u) << "the upper half of a product";
    EXPECT_EQ(block_of("    1005:\tshr    $0x1f,%rax\n").instructions, 1u);
    EXPECT_EQ(block_of("    1005:\tpxor   %xmm1,%xmm1\n").instructions, 0u) << "zero";
    EXPECT_EQ(block_of("    1005:\tpxor   %xmm0,%xmm1\n").instructions, 1u);
}

TEST(MachineCode, a_header_that_nvcc_compiles_too_weighs_as_a_kernel) {
    std::string const code =
        "    1005:\tmov    0x4(%rbx),%eax\n"
        "    1008:\timul   (%rcx),%eax\n"
        "    100b:\tadd    (%rbx),%eax\n";
    EXPECT_EQ(block_of("/root/include/harness/simt/indices.hpp:15\n" + code).instructions, 3u);
    EXPECT_EQ(block_of("/root/include/harness/simt/emulator/lanes.hpp:15\n" + code).instructions, 1u);
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
