// What a GPU makes of the host's branches and accesses, in kernels and in listings as objdump prints them.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/simt/hooks/addressing.hpp"
#include "harness/simt/hooks/block_order.hpp"
#include "harness/simt/hooks/control_flow.hpp"
#include "harness/simt/hooks/loop_rounds.hpp"
#include "harness/simt/hooks/machine_code.hpp"
#include "harness/simt/hooks/machine_costs.hpp"
#include "harness/simt/hooks/machine_nodes.hpp"
#include "harness/simt/hooks/warp_trace.hpp"
#include "tests/harness/simt/hooks/counted.hpp"
#include "tests/harness/simt/hooks/counting.hpp"

namespace lockstep::hook_tests {
namespace {

using namespace simt::hooks;

constexpr char const* model_kernels = "tests/harness/simt/hooks/gpu_model_kernels.cu";
constexpr char const* model_updates = "tests/harness/simt/hooks/gpu_model_updates.cu";

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

TEST(GpuModel, a_predicated_load_of_no_lane_is_a_request) {
    LineCounters const line =
        hook_tests::at(counters_of(emulator::count_predicated_loads), model_kernels, "predicated load");
    EXPECT_EQ(line.shared_loads.requests, 2u);
    EXPECT_EQ(line.shared_loads.wavefronts, 1u);
}

// ptxas moves the loads behind the EXIT of the second warp.
TEST(GpuModel, predicated_loads_before_an_early_return_are_for_those_who_stay) {
    auto const requests = [](unsigned last) {
        Counters const counters = counters_of([&] { emulator::count_loads_before_exit(8, last); });
        return hook_tests::at(counters, model_kernels, "loads before exit").shared_loads.requests;
    };
    EXPECT_EQ(requests(8), 2u);
    EXPECT_EQ(requests(64), 4u) << "no warp exits";
}

// The lane's own word and the next one are loaded one by one, and all behind the EXIT of the second warp.
TEST(GpuModel, the_last_step_of_a_reduction_is_for_one_warp) {
    Counters const counters = counters_of(emulator::count_last_step);
    LineCounters const line = hook_tests::at(counters, model_kernels, "last step");
    EXPECT_EQ(line.shared_loads.requests, 2u);
    EXPECT_EQ(line.shared_loads.wavefronts, 2u);
    EXPECT_EQ(line.shared_stores.requests, 1u);
}

TEST(GpuModel, a_load_of_words_that_are_loaded_is_none) {
    auto const requests = [](unsigned second) {
        Counters const counters = counters_of([&] { emulator::count_repeated_loads(0, second); });
        return hook_tests::at(counters, model_kernels, "repeated loads").shared_loads.requests;
    };
    EXPECT_EQ(requests(0), 1u);
    EXPECT_EQ(requests(64), 2u);
}

// nvcc makes LDG.128 or LDG.64 of words that it knows to be aligned.
TEST(GpuModel, words_of_an_aligned_struct_are_one_load) {
    std::string const line = std::to_string(line_of(model_kernels, "struct words")) + " " + model_kernels + "\n";
    auto const requests = [&](std::string const& alignments) {
        Counters const counters =
            counters_of(emulator::count_struct_words, simt::emulator::LaneOrder::ascending, alignments);
        return hook_tests::at(counters, model_kernels, "struct words").global_loads.requests;
    };
    EXPECT_EQ(requests(""), 4u);
    EXPECT_EQ(requests("load 8 " + line), 2u);
    EXPECT_EQ(requests("load 16 " + line), 1u);
    EXPECT_EQ(requests("store 16 " + line), 4u);
    EXPECT_EQ(requests("load 16 " + std::string("1 other.cu\n")), 4u);
}

TEST(GpuModel, volatile_accesses_stay_apart) {
    Counters const counters = counters_of(emulator::count_volatile_loads);
    EXPECT_EQ(hook_tests::at(counters, model_kernels, "volatile loads").shared_loads.requests, 2u);
}

TEST(GpuModel, neighbouring_variables_are_one_access) {
    Counters const counters = counters_of(emulator::count_neighbouring_variables);
    EXPECT_EQ(hook_tests::at(counters, model_kernels, "neighbouring variables").shared_loads.requests, 1u);
    EXPECT_EQ(counters.total().shared_stores.requests, 1u);
}

TEST(GpuModel, several_conditions_without_an_else_are_one_branch) {
    EXPECT_EQ(counters_of([] { emulator::count_several_conditions(false); }).branches, 2u);
    EXPECT_GT(counters_of([] { emulator::count_several_conditions(true); }).branches, 4u) << "and that of the else";
}

TEST(GpuModel, the_end_of_a_function_with_several_callers_is_no_branch) {
    EXPECT_EQ(counters_of(emulator::count_calls_of_a_function).branches, 0u);
}

TEST(GpuModel, a_sine_of_doubles_loads_from_a_table) {
    LineCounters const line = hook_tests::at(counters_of(emulator::count_sines), model_kernels, "sine");
    EXPECT_EQ(line.global_loads.requests, 1u + 3u);
    EXPECT_EQ(line.global_loads.sectors, 8u + 3u);
}

// nvcc predicates the access within the side, and branches around the side.
TEST(GpuModel, a_side_with_a_predicated_access_is_a_branch) {
    Counters const nested = counters_of([] { emulator::count_nested(true); });
    EXPECT_EQ(nested.branches, 2u);
    EXPECT_EQ(nested.divergent_branches, 1u);
    EXPECT_EQ(counters_of([] { emulator::count_nested(false); }).branches, 0u);
}

// LDS, FADD and ATOMS.CAST.SPIN, until the last lane of each word has succeeded.
TEST(GpuModel, updates_without_an_instruction_are_loops) {
    for (unsigned const words : {1u, 4u, 32u}) {
        unsigned const rounds = 32 / words;
        Counters const counters = counters_of([&] { emulator::count_float_additions(words); });
        LineCounters const line = hook_tests::at(counters, model_updates, "float addition");
        EXPECT_EQ(line.shared_loads.requests, rounds);
        EXPECT_EQ(line.shared_loads.wavefronts, rounds) << "lanes of a word share a pass";
        EXPECT_EQ(line.shared_atomics.requests, rounds);
        EXPECT_EQ(line.shared_atomics.wavefronts, 2 * rounds);
        EXPECT_EQ(line.shared_atomics.lanes, words * rounds * (rounds + 1) / 2);
        EXPECT_EQ(counters.branches, rounds);
        EXPECT_EQ(counters.divergent_branches, rounds - 1);
    }
    LineCounters const wide =
        hook_tests::at(counters_of([] { emulator::count_wide_updates(8); }), model_updates, "wide update");
    EXPECT_EQ(wide.shared_loads.requests, 4u);
    EXPECT_EQ(wide.shared_atomics.requests, 4u);
}

TEST(GpuModel, an_update_that_is_interrupted_stays_a_loop) {
    constexpr unsigned rounds = 50000;
    LineCounters const line =
        hook_tests::at(counters_of([&] { emulator::count_many_additions(rounds); }), model_updates, "one of many");
    EXPECT_EQ(line.shared_loads.requests, rounds);
    EXPECT_EQ(line.shared_atomics.requests, rounds);
    EXPECT_EQ(line.shared_atomics.wavefronts, 2 * rounds);
}

TEST(GpuModel, updates_with_an_instruction_are_one_request) {
    LineCounters const integers =
        hook_tests::at(counters_of([] { emulator::count_integer_additions(1); }), model_updates, "integer addition");
    EXPECT_EQ(integers.shared_atomics.requests, 1u);
    EXPECT_EQ(integers.shared_loads.requests, 0u);
    LineCounters const exchanges =
        hook_tests::at(counters_of([] { emulator::count_wide_exchanges(1); }), model_updates, "wide exchange");
    EXPECT_EQ(exchanges.shared_atomics.requests, 1u);
    EXPECT_EQ(exchanges.shared_loads.requests, 0u);
}

// 32 lanes update words of 4 bytes, and a sector has 8 of them.
TEST(GpuModel, lanes_that_update_the_same_global_word_follow_each_other) {
    auto const sectors = [](auto count, unsigned words) {
        Counters const counters = counters_of([&] { count(words); });
        return hook_tests::at(counters, model_updates, "global addition").global_atomics.sectors;
    };
    EXPECT_EQ(sectors(emulator::count_global_additions, 32), 4u) << "one lane per word";
    EXPECT_EQ(sectors(emulator::count_global_additions, 8), 4u) << "four lanes per word of one sector";
    EXPECT_EQ(sectors(emulator::count_global_additions, 2), 16u);
    EXPECT_EQ(sectors(emulator::count_global_additions, 1), 1u) << "one lane adds the sum";
    EXPECT_EQ(sectors(emulator::count_global_float_additions, 1), 32u) << "floats are not summed before";
    EXPECT_EQ(sectors(emulator::count_global_float_additions, 32), 4u);
    auto const of_exchanges = [](unsigned words) {
        Counters const counters = counters_of([&] { emulator::count_global_exchanges(words); });
        return hook_tests::at(counters, model_updates, "global exchange").global_atomics.sectors;
    };
    EXPECT_EQ(of_exchanges(1), 32u) << "no lane can exchange for others";
    EXPECT_EQ(of_exchanges(32), 4u);
}

TEST(GpuModel, an_atomic_store_is_a_store) {
    Counters const counters = counters_of(emulator::count_atomic_stores);
    LineCounters const line = hook_tests::at(counters, model_updates, "atomic store");
    EXPECT_EQ(line.global_stores.requests, 1u);
    EXPECT_EQ(line.global_stores.sectors, 4u);
    EXPECT_EQ(line.global_atomics.requests, 0u);
}

// Two warps, each with a branch. The side that is not placed last ends with a jump.
TEST(GpuModel, one_of_two_sides_jumps) {
    Counters const apart = counters_of([] { emulator::count_two_long_sides(32); });
    EXPECT_EQ(apart.branches, 3u) << "a warp takes each side";
    EXPECT_EQ(apart.divergent_branches, 0u);
    Counters const parted = counters_of([] { emulator::count_two_long_sides(16); });
    EXPECT_EQ(parted.divergent_branches, 1u) << "the first warp takes both";
    EXPECT_EQ(parted.branches, 3u) << "a branch per warp, and the jump of the first one";
}

// Which branches a switch has does not depend on the lane that runs first.
TEST(GpuModel, a_switch_has_the_same_branches_in_any_order_of_lanes) {
    using simt::emulator::LaneOrder;
    std::vector<Counters> counters;
    for (LaneOrder const order : {LaneOrder::ascending, LaneOrder::descending}) {
        counters.push_back(counters_of([] { emulator::count_a_switch(3); }, order));
    }
    EXPECT_GE(counters[0].divergent_branches, 2u) << "lanes of three cases part twice";
    EXPECT_EQ(counters[0].branches, counters[1].branches);
    EXPECT_EQ(counters[0].divergent_branches, counters[1].divergent_branches);
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

// A tree of two steps: each warp that stays together executes two branches. If lanes of a warp take all four cases,
// it executes three, and each parts them.
TEST(MachineNodes, a_switch_is_a_tree_of_branches) {
    Branches const together = branches_of_switch({100, 0, 300, 0}, 400, 0);
    EXPECT_EQ(together.all, 800u);
    EXPECT_EQ(together.divergent, 0u);
    Branches const apart = branches_of_switch({400, 400, 400, 400}, 400, 400);
    EXPECT_EQ(apart.all, 1200u);
    EXPECT_EQ(apart.divergent, 1200u);
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

TEST(BlockOrder, a_side_comes_before_the_block_where_lanes_meet) {
    // A loop from 20 to 30, with a side at 60, which the end at 40 comes before.
    BlockGraph const graph = {
        {0x10, {0x20}}, {0x20, {0x30, 0x60}}, {0x30, {0x20, 0x40}}, {0x40, {}}, {0x60, {0x30}},
    };
    EXPECT_EQ(in_order(graph), (std::vector<std::uintptr_t>{0x10, 0x20, 0x60, 0x30, 0x40}));
}

TEST(BlockOrder, what_follows_a_loop_comes_after_all_of_it) {
    // The inner loop is 50 and 60, and both its exit at 30 and that of the outer loop at 20 are before it.
    BlockGraph const graph = {
        {0x10, {0x40}}, {0x20, {}}, {0x30, {0x40, 0x20}}, {0x40, {0x50}}, {0x50, {0x60, 0x30}}, {0x60, {0x50}},
    };
    EXPECT_EQ(in_order(graph), (std::vector<std::uintptr_t>{0x10, 0x40, 0x50, 0x60, 0x30, 0x20}));
    EXPECT_EQ(in_order({{0x10, {0x10, 0x99}}, {0x5, {}}}), (std::vector<std::uintptr_t>{0x5, 0x10}));
    EXPECT_TRUE(in_order({}).empty());
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
    EXPECT_EQ(cost_of_function("cos").table_loads, 3u);
    EXPECT_EQ(cost_of_function("sincos").table_loads, 0u);
}

}  // namespace
}  // namespace lockstep::hook_tests
