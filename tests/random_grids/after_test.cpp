// Work on a board after its draw: by hand, and every variant that does it against its reference, in every order of
// lanes.

#include "reference_cpu/random_grids/after.hpp"

#include <gtest/gtest.h>

#include "harness/bench/error.hpp"
#include "harness/simt/emulator/options.hpp"
#include "tests/random_grids/variants.hpp"

namespace lockstep::random_grids::tests {
namespace {

using Words = std::vector<std::uint32_t>;

bench::Problem worked_on(std::string const& grid, std::string const& occupied, std::uint64_t streams, unsigned length,
                         std::string const& output, std::string const& after) {
    bench::Problem asked = problem(grid, occupied, streams, length, output);
    asked.axes.set("after", after);
    return asked;
}

Words found_on(std::string const& grid, std::string const& after, Words const& board) {
    return after_draw(read_workload(worked_on(grid, "0", 1, 1, "stored", after).axes), board);
}

// .#.#     #.#.
// .#.. ->  #.##   around the occupied sites; the first row reaches the upper three of them.
// ..#.     .#.#
TEST(AfterADraw, ByHand) {
    Words const board = {0b1010, 0b0010, 0b0100};
    EXPECT_EQ(found_on("4x3", "none", board), board);
    EXPECT_EQ(found_on("4x3", "liberties", board), (Words{0b0101, 0b1101, 0b1010}));
    EXPECT_EQ(found_on("4x3", "connected", board), (Words{0b1010, 0b0010, 0}));
}

// The way goes down, to the right, up and down again.
TEST(AfterADraw, AlongASpiral) {
    Words const spiral = {0b11111, 0b10000, 0b10111, 0b10101, 0b10001, 0b11111};
    EXPECT_EQ(found_on("5x6", "connected", spiral), spiral);
    Words cut = spiral;
    cut[5] = 0b11011;
    EXPECT_EQ(found_on("5x6", "connected", cut), (Words{0b11111, 0b10000, 0b10000, 0b10000, 0b10000, 0b11000}));
    Words const full(6, 0b11111);
    EXPECT_EQ(found_on("5x6", "connected", full), full);
    EXPECT_EQ(found_on("5x6", "liberties", full), Words(6, 0));
}

TEST(AfterADraw, NeedsRowsOfOneWordAndOneColour) {
    EXPECT_THROW(read_workload(worked_on("33x2", "5", 1, 1, "stored", "liberties").axes), bench::Error);
    EXPECT_THROW(read_workload(worked_on("5x5", "5,5", 1, 1, "stored", "connected").axes), bench::Error);
}

class AfterADrawOn : public lockstep::tests::OnMachines {
protected:
    bool agrees(bench::Problem const& asked) {
        return lockstep::tests::run_and_compare(experiment(), *GetParam(), asked) != nullptr;
    }
};

TEST_P(AfterADrawOn, EqualsTheReference) {
    for (char const* const after : {"liberties", "connected"}) {
        for (char const* const output : {"stored", "folded"}) {
            for (char const* const grid : {"32x32", "15x15", "31x7", "1x1"})
                agrees(worked_on(grid, "half", 3, 2, output, after));
            for (char const* const occupied : {"0", "1", "700", "1024", "mixed"})
                agrees(worked_on("32x32", occupied, 2, 3, output, after));
        }
        agrees(worked_on("32x32", "512", 33, 1, "stored", after));
    }
}

TEST_P(AfterADrawOn, InEveryOrderOfLanes) {
    if (GetParam()->machine != bench::Machine::emulator)
        return;
    using simt::emulator::LaneOrder;
    for (LaneOrder const order : {LaneOrder::ascending, LaneOrder::descending, LaneOrder::random}) {
        simt::emulator::Options options;
        options.order = order;
        options.seed = 7;
        simt::emulator::ScopedOptions const scope(options);
        for (char const* const after : {"liberties", "connected"})
            agrees(worked_on("32x32", "half", 3, 2, "stored", after));
    }
}

INSTANTIATE_TEST_SUITE_P(Variants, AfterADrawOn, testing::ValuesIn(variants_under_test()),
                         [](auto const& of) { return test_name(*of.param); });

// Slides' and ours; whatever else draws sets refuses, so that no row claims work that was not done.
TEST(AfterADraw, IsDoneByFourKernels) {
    std::vector<std::string> found;
    for (bench::Variant const& variant : experiment().variants) {
        if (variant.machine == bench::Machine::emulator &&
            variant.unsupported_reason(worked_on("32x32", "half", 1, 1, "folded", "connected").axes).empty())
            found.push_back(variant.name);
    }
    EXPECT_EQ(found, (std::vector<std::string>{"threadwise", "warpwise", "warpwise_reduce", "dense"}));
}

}  // namespace
}  // namespace lockstep::random_grids::tests
