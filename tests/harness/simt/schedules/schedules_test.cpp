// The orders of lanes that the emulator offers: which errors they show, that correct kernels pass in all of them, and
// that a seed gives the same order again.

#include "tests/harness/simt/schedules/schedules.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "harness/simt/emulator/options.hpp"

namespace lockstep::schedules {
namespace {

using simt::emulator::LaneOrder;
using simt::emulator::Options;
using simt::emulator::ScopedOptions;

constexpr unsigned seeds = 100;

std::vector<unsigned> results(unsigned (*kernel)(bool), bool fixed, LaneOrder order) {
    std::vector<unsigned> found;
    for (unsigned seed = 0; seed < seeds; ++seed) {
        ScopedOptions const scope(Options{order, seed, 1, 60});
        found.push_back(kernel(fixed));
    }
    return found;
}

unsigned seeds_with_an_error(unsigned (*kernel)(bool), bool fixed, LaneOrder order) {
    unsigned count = 0;
    for (unsigned const result : results(kernel, fixed, order)) {
        count += result != 0 ? 1 : 0;
    }
    return count;
}

TEST(Schedules, UnfairOrderShowsAba) {
    EXPECT_GT(seeds_with_an_error(emulator::nodes_held_twice, false, LaneOrder::unfair), 0u);
    // Why that order exists: where every lane has one turn per round, no lane stops long enough.
    EXPECT_EQ(seeds_with_an_error(emulator::nodes_held_twice, false, LaneOrder::random), 0u);
}

TEST(Schedules, CorrectStackPassesInEveryOrder) {
    for (LaneOrder const order : {LaneOrder::ascending, LaneOrder::descending, LaneOrder::random, LaneOrder::unfair}) {
        EXPECT_EQ(seeds_with_an_error(emulator::nodes_held_twice, true, order), 0u) << static_cast<int>(order);
    }
}

TEST(Schedules, LostUpdateShowsInEveryOrder) {
    for (LaneOrder const order : {LaneOrder::ascending, LaneOrder::random, LaneOrder::unfair}) {
        EXPECT_GT(seeds_with_an_error(emulator::numbers_not_taken, false, order), 0u) << static_cast<int>(order);
        EXPECT_EQ(seeds_with_an_error(emulator::numbers_not_taken, true, order), 0u) << static_cast<int>(order);
    }
}

TEST(Schedules, SeedGivesTheSameOrderAgain) {
    auto const taker = [](bool) { return emulator::taker_of_number_0(); };
    for (LaneOrder const order : {LaneOrder::random, LaneOrder::unfair}) {
        std::vector<unsigned> const once = results(taker, true, order);
        EXPECT_EQ(results(taker, true, order), once);
        std::set<unsigned> const threads(once.begin(), once.end());
        EXPECT_GT(threads.size(), 20u) << "few orders";
        EXPECT_LT(*threads.begin(), 32u);
        EXPECT_GE(*threads.rbegin(), 32u) << "warp 1 never runs first";
    }
}

TEST(Schedules, BlocksBeginInTheOrder) {
    auto const takers = [](LaneOrder order, unsigned seed) {
        ScopedOptions const scope(Options{order, seed, 1, 60});
        return emulator::takers_among_blocks();
    };
    std::vector<unsigned> all(16);
    std::iota(all.begin(), all.end(), 0u);
    EXPECT_EQ(takers(LaneOrder::ascending, 1), all);
    EXPECT_EQ(takers(LaneOrder::descending, 1), std::vector<unsigned>(all.rbegin(), all.rend()));
    std::set<std::vector<unsigned>> different;
    for (unsigned seed = 0; seed < 20; ++seed) {
        std::vector<unsigned> found = takers(LaneOrder::random, seed);
        different.insert(found);
        EXPECT_EQ(takers(LaneOrder::random, seed), found);
        EXPECT_TRUE(std::is_permutation(found.begin(), found.end(), all.begin()));
    }
    EXPECT_GT(different.size(), 10u);
}

// A GPU that has room for all blocks runs them at the same time.
TEST(Schedules, BlocksThatWaitMakeRoomForOthers) {
    for (LaneOrder const order : {LaneOrder::ascending, LaneOrder::descending, LaneOrder::random, LaneOrder::unfair}) {
        for (unsigned const threads : {1u, 2u}) {
            ScopedOptions const scope(Options{order, 3, threads, 60});
            EXPECT_EQ(emulator::blocks_that_meet(), 16u) << static_cast<int>(order);
        }
    }
}

}  // namespace
}  // namespace lockstep::schedules
