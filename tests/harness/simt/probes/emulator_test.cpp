// The three probes in the emulator, in every lane order, on one and on several CPU threads.

#include "harness/simt/emulator/options.hpp"
#include "tests/harness/simt/probes/checks.hpp"

namespace lockstep::probes {
namespace {

using simt::emulator::LaneOrder;
using simt::emulator::Options;
using simt::emulator::ScopedOptions;

class Probes : public testing::TestWithParam<Options> {
protected:
    ScopedOptions scope_{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Orders, Probes,
                         testing::Values(Options{LaneOrder::ascending, 0, 1, 60},
                                         Options{LaneOrder::descending, 0, 1, 60}, Options{LaneOrder::random, 1, 1, 60},
                                         Options{LaneOrder::random, 2, 2, 60}));

TEST_P(Probes, WarpwiseHalvingSelectsExactlyKSites) {
    for (unsigned const occupied : {0u, 1u, 512u, 1023u, 1024u}) {
        expect_exact_grids(emulator::draw_grids(5, occupied, 7), 5, occupied);
    }
}

TEST_P(Probes, WarpwiseHalvingIsTheSameInEveryOrder) {
    std::vector<unsigned> const here = emulator::draw_grids(6, 400, 11);
    ScopedOptions const plain({});
    EXPECT_EQ(here, emulator::draw_grids(6, 400, 11));
    EXPECT_NE(here, emulator::draw_grids(6, 400, 12));
}

TEST_P(Probes, CompactionEvaluatesEachEnabledValueOnce) {
    for (unsigned const range : {1u, 31u, 32u, 33u, 100u}) {
        expect_each_enabled_once(emulator::compact(5, range, 4), 5, range);
    }
    expect_each_enabled_once(emulator::compact(33, 40, 32), 33, 40);
}

TEST_P(Probes, AllocatorGivesEachIndexOnce) {
    for (Allocation const& wanted : {Allocation{1, 1, 1, 0}, Allocation{2, 33, 3, 10}, Allocation{3, 64, 4, 500}}) {
        expect_distinct_indices(emulator::allocate(wanted), wanted);
    }
}

}  // namespace
}  // namespace lockstep::probes
