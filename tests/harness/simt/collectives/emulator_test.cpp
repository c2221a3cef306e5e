// Compares the kernel header's collectives in the emulator with values written by hand, in every lane order.

#include <gtest/gtest.h>

#include "harness/simt/emulator/options.hpp"
#include "tests/harness/simt/collectives/expected.hpp"

namespace lockstep::collectives {
namespace {

using simt::emulator::LaneOrder;
using simt::emulator::Options;
using simt::emulator::ScopedOptions;

class Collectives : public testing::TestWithParam<Options> {
protected:
    ScopedOptions scope_{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Orders, Collectives,
                         testing::Values(Options{LaneOrder::ascending, 0, 1, 60},
                                         Options{LaneOrder::descending, 0, 1, 60},
                                         Options{LaneOrder::random, 9, 2, 60}));

TEST_P(Collectives, MatchTheProgrammingGuide) { EXPECT_EQ(emulator::run_collectives(), expected_collectives()); }

TEST_P(Collectives, IndicesOfThreeDimensions) { EXPECT_EQ(emulator::run_indices(), expected_indices()); }

TEST_P(Collectives, BarriersIgnoreExitedLanes) {
    for (unsigned const threads : {1u, 31u, 32u, 33u, 1023u, 1024u}) {
        EXPECT_EQ(emulator::run_early_exit(threads), expected_early_exit(threads));
    }
}

}  // namespace
}  // namespace lockstep::collectives
