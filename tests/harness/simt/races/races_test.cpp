// ThreadSanitizer, with the emulator's annotations of lanes and barriers, reports deliberate races in shared and global
// memory and reports nothing for the fixed versions. Built only in the tsan preset.

#include <gtest/gtest.h>

#include <atomic>

#include "harness/simt/emulator/options.hpp"
#include "tests/harness/simt/races/races.hpp"

namespace {
std::atomic<int> reports{0};
}  // namespace

// Hooks of ThreadSanitizer's runtime: they count reports instead of failing the program and disable the suppression of
// duplicates.
extern "C" void __tsan_on_report(void*) { reports.fetch_add(1); }
extern "C" char const* __tsan_default_options() {
    return "exitcode=0:suppress_equal_stacks=0:suppress_equal_addresses=0";
}

namespace lockstep::races {
namespace {

using simt::emulator::LaneOrder;
using simt::emulator::Options;
using simt::emulator::ScopedOptions;

class Races : public testing::TestWithParam<unsigned> {
protected:
    int reports_of(void (*kernel)(bool), bool fixed, LaneOrder order = LaneOrder::ascending) const {
        ScopedOptions const scope(Options{order, 1, GetParam(), 60});
        reports = 0;
        kernel(fixed);
        return reports;
    }
    // In every order of the lanes the kernel is reported, and its fixed version is not.
    void expect_found(void (*kernel)(bool)) const {
        for (LaneOrder const order : {LaneOrder::ascending, LaneOrder::descending, LaneOrder::random}) {
            EXPECT_GT(reports_of(kernel, false, order), 0) << "order " << static_cast<int>(order);
            EXPECT_EQ(reports_of(kernel, true, order), 0) << "order " << static_cast<int>(order);
        }
    }
};

INSTANTIATE_TEST_SUITE_P(CpuThreads, Races, testing::Values(1u, 2u));

TEST_P(Races, SharedMemoryWithoutItsBarrier) {
    EXPECT_GT(reports_of(emulator::reverse_tile, false), 0);
    EXPECT_EQ(reports_of(emulator::reverse_tile, true), 0);
}

TEST_P(Races, SharedMemoryWithoutItsSyncwarp) {
    EXPECT_GT(reports_of(emulator::reverse_warp_tile, false), 0);
    EXPECT_EQ(reports_of(emulator::reverse_warp_tile, true), 0);
}

TEST_P(Races, LoopWithoutItsSecondBarrier) { expect_found(emulator::rotate_tile); }

TEST_P(Races, LoopWithoutItsSecondSyncwarp) { expect_found(emulator::rotate_warp_tile); }

TEST_P(Races, HalvesOfAWarpThatSynchroniseApart) { expect_found(emulator::swap_halves); }

TEST_P(Races, SuccessiveBlocksWithBarriers) {
    expect_found([](bool own) { emulator::read_previous_block(64, own); });
}

TEST_P(Races, SuccessiveBlocksOfOneThread) {
    expect_found([](bool own) { emulator::read_previous_block(1, own); });
    expect_found(emulator::count_in_single_lanes);
}

TEST_P(Races, GlobalMemoryHandedOverWithoutRelease) {
    EXPECT_GT(reports_of(emulator::hand_over, false), 0);
    EXPECT_EQ(reports_of(emulator::hand_over, true), 0);
}

TEST_P(Races, GlobalMemoryWrittenByAllBlocks) {
    EXPECT_GT(reports_of(emulator::count_blocks, false), 0);
    EXPECT_EQ(reports_of(emulator::count_blocks, true), 0);
}

}  // namespace
}  // namespace lockstep::races
