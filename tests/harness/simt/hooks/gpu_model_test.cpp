// What a GPU makes of the host's branches and accesses, in kernels and in listings as objdump prints them.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/simt/hooks/addressing.hpp"
#include "harness/simt/hooks/control_flow.hpp"
#include "harness/simt/hooks/loop_rounds.hpp"
#include "harness/simt/hooks/machine_code.hpp"
#include "harness/simt/hooks/machine_costs.hpp"
#include "tests/harness/simt/hooks/counted.hpp"
#include "tests/harness/simt/hooks/counting.hpp"

namespace lockstep::hook_tests {
namespace {

using namespace simt::hooks;

constexpr char const* model_kernels = "tests/harness/simt/hooks/gpu_model_kernels.cu";

TEST(GpuModel, a_branch_counts_although_no_lane_takes_its_side) {
    Counters const counters = counters_of(emulator::count_never);
    EXPECT_EQ(counters.branches, 2u);
    EXPECT_EQ(counters.divergent_branches, 0u);
}

TEST(GpuModel, the_conditions_of_one_if_are_one_branch) {
    Counters const some = counters_of([] { emulator::count_conditions(20, 10); });
    EXPECT_EQ(some.branches, 2u);
    EXPECT_EQ(some.divergent_branches, 1u);
    // The first condition parts the lanes, and the second refuses those that it lets pass.
    Counters const none = counters_of([] { emulator::count_conditions(16, 32); });
    EXPECT_EQ(none.branches, 2u);
    EXPECT_EQ(none.divergent_branches, 0u);
}

// nvcc makes LDS.128 of three or four words of aligned 16 bytes, and LDS.64 of an aligned pair.
TEST(GpuModel, neighbouring_words_of_shared_memory_are_one_load) {
    struct Case {
        unsigned stride, first, of_three, of_two;
    };
    for (Case const& one : {Case{4, 0, 1, 1}, {4, 1, 1, 2}, {2, 0, 2, 1}, {1, 0, 3, 2}, {3, 0, 3, 2}}) {
        Counters const counters = counters_of([&] { emulator::count_neighbours(one.stride, one.first); });
        EXPECT_EQ(hook_tests::at(counters, model_kernels, "neighbours").shared_loads.requests, one.of_three)
            << one.stride << one.first;
        EXPECT_EQ(hook_tests::at(counters, model_kernels, "pair").shared_loads.requests, one.of_two)
            << one.stride << one.first;
    }
}

TEST(GpuModel, a_predicated_store_of_no_lane_is_a_request) {
    LineCounters const line = hook_tests::at(counters_of(emulator::count_predicated), model_kernels, "predicated");
    EXPECT_EQ(line.shared_stores.requests, 2u);
    EXPECT_EQ(line.shared_stores.wavefronts, 1u);
}

TEST(GpuModel, a_division_has_a_branch_to_its_slow_path) {
    Counters const counters = counters_of(emulator::count_divisions);
    EXPECT_EQ(counters.branches, 2u);
    EXPECT_EQ(counters.divergent_branches, 0u);
}

std::vector<Instruction> block(std::string const& text) {
    std::vector<Instruction> found;
    for_each_line(text, [&](std::string_view line) {
        if (auto const instruction = parse_instruction(line)) {
            found.push_back(*instruction);
        }
    });
    return found;
}

// Rounds of a triangle: 63, 61, ..., 1. As nvcc 13 compiles it and an H100 counts it (matrix-rotate of HeCBench).
TEST(LoopRounds, remaining_rounds_come_before_groups_of_four) {
    std::vector<unsigned> rounds;
    for (unsigned lane = 0; lane < 32; ++lane) {
        rounds.push_back(63 - 2 * lane);
    }
    UnrolledBranches const by_4 = unrolled(rounds, 4);
    EXPECT_EQ(by_4.loops.all, 19u);
    EXPECT_EQ(by_4.loops.divergent, 15u);
    EXPECT_EQ(by_4.to_groups.all, 1u);
    EXPECT_EQ(by_4.to_groups.divergent, 1u) << "lanes with fewer than four rounds";
    UnrolledBranches const together = unrolled({8, 8, 8}, 4);
    EXPECT_EQ(together.loops.all, 3u);
    EXPECT_EQ(together.loops.divergent + together.to_groups.divergent, 0u);
}

TEST(LoopRounds, a_loop_that_advances_by_a_constant_counts) {
    auto const counts = [](std::string const& text) { return counts_by_constant(block(text)); };
    std::string const jump = "    1010:\tjne    1000 <kernel>\n";
    EXPECT_TRUE(counts("    1000:\tadd    $0x4,%rbx\n    1004:\tcmp    %r12,%rbx\n" + jump));
    EXPECT_TRUE(counts("    1000:\tsub    $0x1,%ebx\n" + jump));
    EXPECT_TRUE(
        counts("    1000:\tlea    0x1(%rbx),%eax\n    1004:\tmov    %eax,%ecx\n"
               "    1006:\tcmp    %ecx,%r12d\n" +
               jump));
    EXPECT_TRUE(
        counts("    1000:\taddl   $0x1,-0x4c(%rbp)\n    1004:\tmov    -0x4c(%rbp),%eax\n"
               "    1006:\tcmp    %eax,%r12d\n" +
               jump));
    EXPECT_FALSE(counts("    1000:\tadd    %edx,%ebx\n    1004:\tcmp    %r12d,%ebx\n" + jump)) << "a grid's stride";
    EXPECT_FALSE(counts("    1000:\tmov    (%rbx),%eax\n    1004:\ttest   %eax,%eax\n" + jump)) << "a flag";
    EXPECT_FALSE(counts("    1000:\tadd    $0x4,%rbx\n"));
}

TEST(ControlFlow, follows_jumps_to_the_blocks_behind_them) {
    auto const successors = successors_in(
        "0000000000001000 <kernel>:\n"
        "    1000:\tcall   1040 <__sanitizer_cov_trace_pc@plt>\n"
        "    1005:\tcmp    %ecx,%eax\n"
        "    1007:\tjne    1014 <kernel+0x14>\n"
        "    1009:\tcall   1040 <__sanitizer_cov_trace_pc@plt>\n"
        "    100e:\tadd    %ecx,%eax\n"
        "    1010:\tnotrack jmp *%rax\n"
        "    1014:\tmov    %ecx,%eax\n"
        "    1016:\tjmp    1020 <kernel+0x20>\n"
        "    1020:\tcall   1040 <__sanitizer_cov_trace_pc@plt>\n"
        "    1025:\tjb     1000 <kernel>\n"
        "    1027:\tret\n"
        "    1028:\tcall   1040 <__sanitizer_cov_trace_pc@plt>\n");
    ASSERT_EQ(successors.size(), 3u);
    EXPECT_EQ(successors.at(0x1005), (std::vector<std::uintptr_t>{0x100e, 0x1025}));
    EXPECT_EQ(successors.at(0x100e), std::vector<std::uintptr_t>{}) << "where it leads to is not in the text";
    EXPECT_EQ(successors.at(0x1025), std::vector<std::uintptr_t>{0x1005});
}

TEST(Addressing, is_what_only_the_addresses_of_accesses_depend_on) {
    std::string const text =
        "    1000:\tlea    0x0(,%rax,4),%rdx\n"
        "    1008:\tadd    %rdx,%rbx\n"
        "    100b:\tmov    %rbx,%rdi\n"
        "    100e:\tcall   1090 <__tsan_read4@plt>\n"
        "    1013:\tmov    (%rbx),%ecx\n"
        "    1015:\timul   %ecx,%ecx\n"
        "    1018:\tadd    $0x1,%ecx\n";
    EXPECT_EQ(addressing_of(block(text)), 2u);
    EXPECT_EQ(addressing_of(block("    1000:\timul   %ecx,%ecx\n")), 0u);
}

TEST(Addressing, reads_of_thread_indices_are_no_accesses) {
    auto const blocks = blocks_of(
        "0000000000001000 <kernel>:\n"
        "    1000:\tcall   1040 <__sanitizer_cov_trace_pc@plt>\n"
        "    1005:\tdata16 lea 0x67c9(%rip),%rdi        # 9fc0 <blockIdx@Base>\n"
        "    100d:\tdata16 data16 rex.W call 2230 <__tls_get_addr@plt>\n"
        "    1015:\tmov    %rax,%rbx\n"
        "    1018:\tlea    0x4(%rbx),%rdi\n"
        "    101c:\tcall   1090 <__tsan_read4@plt>\n"
        "    1021:\tmov    0x4(%rbx),%eax\n"
        "    1024:\tmov    %r12,%rdi\n"
        "    1027:\tcall   1090 <__tsan_read4@plt>\n");
    ASSERT_TRUE(blocks.contains(0x1005));
    EXPECT_EQ(blocks.at(0x1005).accesses, 1u);
}

TEST(MachineCosts, a_gpu_has_slow_paths_for_what_the_host_has_an_instruction_for) {
    auto const cost = [](std::string const& text) { return cost_of(block("    1000:\t" + text + "\n").at(0)); };
    EXPECT_EQ(cost("divss  %xmm1,%xmm0").branches, 1u);
    EXPECT_EQ(cost("idiv   %ecx").branches, 0u);
    EXPECT_EQ(cost("idiv   %rcx").branches, 1u);
    EXPECT_EQ(cost("mov    %rax,0x8(%rsp)").instructions, 0u);
    EXPECT_EQ(cost_of_function("sinf").branches, 1u);
    EXPECT_EQ(cost_of_function("expf").branches, 0u);
    EXPECT_EQ(cost_of_function("unknown").instructions, 1u);
}

}  // namespace
}  // namespace lockstep::hook_tests
