// Counters of kernels for which they follow from the text.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/harness/simt/hooks/counted.hpp"
#include "tests/harness/simt/hooks/counting.hpp"

namespace lockstep::hook_tests {
namespace {

using simt::emulator::LaneOrder;
using simt::hooks::Counters;
using simt::hooks::LineCounters;

constexpr char const* file = "tests/harness/simt/hooks/counted.cu";

LineCounters at(Counters const& counters, std::string const& mark) { return hook_tests::at(counters, file, mark); }

TEST(Counters, sectors_of_a_stride) {
    // 32 lanes of 4 bytes: 4 sectors if contiguous, then in proportion to the stride, at most one each.
    for (unsigned const stride : {1u, 2u, 3u, 4u, 8u, 32u}) {
        LineCounters const line = at(counters_of([&] { emulator::count_strided(stride); }), "strided");
        EXPECT_EQ(line.global_stores.requests, 2u);
        EXPECT_EQ(line.global_stores.lanes, 64u);
        EXPECT_EQ(line.global_stores.sectors, 2 * 4 * std::min(stride, 8u)) << stride;
        EXPECT_EQ(line.global_stores.fewest_sectors, 2u * 4u);
        EXPECT_EQ(line.global_stores.used_bytes, 2u * 32 * 4);
        EXPECT_EQ(line.global_loads.requests, 0u);
    }
}

TEST(Counters, bank_conflicts_of_a_column) {
    struct Expected {
        unsigned width;
        unsigned ways;
    };
    // The greatest common divisor of the width and the number of banks.
    for (Expected const expected : {Expected{32, 32}, {33, 1}, {16, 16}, {2, 2}, {24, 8}, {1, 1}}) {
        LineCounters const line = at(counters_of([&] { emulator::count_columns(expected.width); }), "columns");
        EXPECT_EQ(line.shared_stores.requests, 1u);
        EXPECT_EQ(line.shared_stores.wavefronts, expected.ways) << expected.width;
        EXPECT_EQ(line.shared_stores.fewest_wavefronts, 1u);
    }
}

TEST(Counters, bank_conflicts_of_doubles) {
    // Half a warp passes at a time, so neighbouring doubles have no conflict, and every second one has two ways.
    EXPECT_EQ(at(counters_of([] { emulator::count_doubles(1); }), "doubles").shared_stores.wavefronts, 2u);
    EXPECT_EQ(at(counters_of([] { emulator::count_doubles(2); }), "doubles").shared_stores.wavefronts, 4u);
    EXPECT_EQ(at(counters_of([] { emulator::count_doubles(1); }), "doubles").shared_stores.fewest_wavefronts, 2u);
}

TEST(Counters, lanes_of_a_loop_meet_again_behind_it) {
    for (LaneOrder const order : {LaneOrder::ascending, LaneOrder::descending, LaneOrder::random}) {
        Counters const counters = counters_of(emulator::count_loops, order);
        // Four rounds with 32, 24, 16 and 8 lanes, three times. Then all lanes store together.
        EXPECT_EQ(at(counters, "inner").global_loads.requests, 12u);
        EXPECT_EQ(at(counters, "inner").global_loads.lanes, 3u * 80u);
        EXPECT_EQ(at(counters, "outer").global_stores.requests, 3u);
        EXPECT_EQ(at(counters, "outer").global_stores.lanes, 96u);
    }
}

TEST(Counters, a_branch_within_a_warp_is_divergent_and_one_between_warps_is_not) {
    Counters const within = counters_of([] { emulator::count_branches(16); });
    EXPECT_EQ(at(within, "branch").branches, 2u);
    EXPECT_EQ(at(within, "branch").divergent_branches, 2u);
    EXPECT_EQ(at(within, "even").warps, 2u);
    EXPECT_EQ(at(within, "even").lanes, 32u);
    EXPECT_EQ(at(within, "odd").warps, 2u);
    EXPECT_EQ(at(within, "joined").global_stores.requests, 2u);
    Counters const between = counters_of([] { emulator::count_branches(32); });
    EXPECT_EQ(at(between, "branch").branches, 2u);
    EXPECT_EQ(at(between, "branch").divergent_branches, 0u);
    EXPECT_EQ(at(between, "even").warps, 1u);
    EXPECT_EQ(at(between, "even").lanes, 32u);
}

// ptxas predicates the short sides, which all lanes then execute.
TEST(Counters, the_sums_leave_out_predicated_branches) {
    Counters const counters = counters_of([] { emulator::count_branches(16); });
    EXPECT_EQ(counters.branches, 0u);
    EXPECT_EQ(counters.divergent_branches, 0u);
    EXPECT_EQ(counters.lane_instructions, 32 * counters.instructions);
}

TEST(Counters, the_sums_weigh_long_branches_by_their_instructions) {
    Counters const counters = counters_of(emulator::count_long_branches);
    EXPECT_EQ(counters.branches, 2u);
    EXPECT_EQ(counters.divergent_branches, 2u);
    double const lanes = static_cast<double>(counters.lane_instructions) / static_cast<double>(counters.instructions);
    // 18 of fewer than 40 instructions with 8 lanes, the others with 32.
    EXPECT_GT(lanes, 8.0);
    EXPECT_LT(lanes, 32.0 - 24.0 * 18 / 40);
}

TEST(Counters, the_sums_keep_divergent_loops) {
    Counters const counters = counters_of(emulator::count_loops);
    EXPECT_GE(counters.branches, 12u);
    EXPECT_GE(counters.divergent_branches, 9u);
}

TEST(Counters, an_early_return_is_no_branch) {
    Counters const counters = counters_of(emulator::count_partial);
    EXPECT_EQ(counters.branches, 0u);
    EXPECT_LT(counters.lane_instructions, 32 * counters.instructions);
}

TEST(Counters, atomics_and_their_contention) {
    for (unsigned const addresses : {1u, 4u, 32u}) {
        LineCounters const line = at(counters_of([&] { emulator::count_atomics(addresses); }), "atomic");
        EXPECT_EQ(line.global_atomics.requests, 2u);
        EXPECT_EQ(line.global_atomics.contention, 2 * 32 / addresses);
        EXPECT_EQ(line.global_loads.requests, 0u) << "the load of an update is no request";
    }
}

TEST(Counters, barriers_and_collectives) {
    Counters const columns = counters_of([] { emulator::count_columns(1); });
    EXPECT_EQ(at(columns, "barrier").barriers, 1u);
    Counters const partial = counters_of(emulator::count_partial);
    EXPECT_EQ(at(partial, "ballot").warp_collectives, 1u);
    EXPECT_EQ(at(partial, "ballot").global_stores.lanes, 8u);
}

TEST(Counters, calls_from_two_branches_are_two_requests) {
    LineCounters const line = at(counters_of(emulator::count_calls), "called");
    EXPECT_EQ(line.global_stores.requests, 2u);
    EXPECT_EQ(line.global_stores.lanes, 32u);
}

TEST(Counters, the_annotated_source_has_a_row_per_line) {
    std::string const text = annotated(counters_of([] { emulator::count_strided(2); }));
    EXPECT_NE(text.find(file), std::string::npos) << text;
    std::size_t const line = text.find("data[threadIdx.x * stride] = 1;");
    ASSERT_NE(line, std::string::npos) << text;
    std::size_t const begin = text.rfind('\n', line) + 1;
    EXPECT_EQ(text.substr(begin, 40), "        2  32.0        2     8.0     4.0") << text;
}

}  // namespace
}  // namespace lockstep::hook_tests
