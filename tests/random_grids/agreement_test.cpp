// Every variant equals its reference bit for bit, at the edges of words, warps and sets and in every order of lanes.

#include <gtest/gtest.h>

#include <bit>

#include "harness/bench/error.hpp"
#include "harness/simt/emulator/options.hpp"
#include "tests/random_grids/samples.hpp"
#include "tests/random_grids/variants.hpp"
#include "tests/support/sanitizers.hpp"

namespace lockstep::random_grids::tests {
namespace {

class Agreement : public lockstep::tests::OnMachines {
protected:
    // Returns false if the variant does not support the problem. Otherwise compares all units and the digest.
    bool agrees(bench::Problem const& asked) {
        return lockstep::tests::run_and_compare(experiment(), *GetParam(), asked) != nullptr;
    }

    // All grids that at least one variant supports, from one word to several words per lane.
    static std::vector<std::string> grids() {
        return {"1x1",    "8x1",   "31x1",  "32x1",  "33x1",  "63x1",  "64x1",  "225x1",
                "1089x1", "1x31",  "3x2",   "8x8",   "13x5",  "15x15", "16x16", "32x16",
                "32x32",  "33x33", "64x32", "32x64", "48x48", "64x64", "96x96", "100x70"};
    }
};

std::vector<std::string> occupied_of(std::string const& grid) {
    unsigned const sites = parse_shape(grid).sites();
    std::vector<std::string> values = {"mixed", "0", "1", std::to_string(sites - 1), std::to_string(sites), "half"};
    if (sites >= 4)
        values.push_back("1," + std::to_string(sites / 2) + ",1");
    return values;
}

TEST_P(Agreement, AtTheEdgesOfWordsAndSets) {
    unsigned taken = 0;
    unsigned combination = 0;
    for (std::string const& grid : grids()) {
        for (std::string const& occupied : occupied_of(grid)) {
            ++combination;
            for (bool const folded : {false, true}) {
                // Under sanitizers, all of them take minutes. One of three or six, and every value in some grid.
                unsigned const step = lockstep::tests::under_thread_sanitizer ? 6 : 3;
                bool const is_taken = combination % step == 0 && folded == (combination / step % 2 == 0);
                bool const is_short = lockstep::tests::accesses_are_slow() || lockstep::tests::sanitized;
                if (is_short && !is_taken)
                    continue;
                taken += agrees(problem(grid, occupied, 2, 2, folded ? "folded" : "stored")) ? 1 : 0;
            }
        }
    }
    EXPECT_GT(taken, 0u) << "the variant supports no grid of this test";
}

// Two blocks of the emulator draw at most 512 streams at a time.
TEST_P(Agreement, WhereAWarpDrawsSeveralGroupsOfStreams) {
    if (GetParam()->name != "unranked" && GetParam()->name != "tree")
        return;
    for (std::uint64_t const streams : {513u, 545u, 1089u}) {
        for (std::string const grid : {"5x5", "9x8"})
            agrees(problem(grid, "mixed", streams, 3, "stored"));
        agrees(problem(GetParam()->name == "tree" ? "9x8" : "40x1", "half", streams, 1, "folded"));
    }
}

// Two colours: sets and groups that are full or not, planes without candidates, and the rows that are parts.
TEST_P(Agreement, OfTwoColours) {
    if (GetParam()->reference != "tree" && GetParam()->name != "auto")
        return;
    unsigned combination = 0;
    for (std::string const grid :
         {"1x1", "60x1", "10x6", "61x1", "9x9", "30x4", "11x11", "12x15", "181x1", "15x15", "15x16", "20x12"}) {
        unsigned const sites = parse_shape(grid).sites();
        for (unsigned const occupied : {0u, 1u, 60u, 61u, 120u, 121u, 180u, 200u, sites - 1, sites}) {
            for (unsigned const second : {0u, occupied / 2, occupied}) {
                if (occupied > sites || second > occupied)
                    continue;
                // With slow accesses, all of them take minutes. Every seventh one includes every grid.
                if (combination++ % 7 != 0 && lockstep::tests::accesses_are_slow())
                    continue;
                std::string const counts = std::to_string(occupied - second) + "," + std::to_string(second);
                agrees(problem(grid, counts, 2, 2, second % 2 == 0 ? "stored" : "folded",
                               occupied % 2 == 0 ? "xorwow" : "philox10"));
            }
        }
    }
}

// Few sites of the first plane are missing, or wanted. Boards of one colour would then throw balls (dense_plan.hpp).
TEST_P(Agreement, OfTwoColoursOnBoardsThatFillTheirWords) {
    for (std::string const counts : {"501,455", "20,30"})
        agrees(problem("32x32", counts, 3, 2));
    agrees(problem("64x64", "2000,2080", 2, 1));
    agrees(problem("128x128", "70,30", 2, 1));
}

TEST_P(Agreement, OfTwoColoursInManyStreams) {
    if (GetParam()->reference != "tree" && GetParam()->name != "auto")
        return;
    for (std::uint64_t const streams : {33u, 257u, 545u, 1600u}) {
        if (streams == 545 && lockstep::tests::under_compute_sanitizer())
            continue;  // more than one group of a warp, as 1600
        if (streams > 257 && lockstep::tests::under_thread_sanitizer && GetParam()->name == "auto")
            continue;  // `auto` is a variant whose own groups other tests cover
        agrees(problem("15x15", "71,70", streams, 2, "stored", "philox10"));
        agrees(problem("15x15", "71,70", streams, 1, "folded", "taus88"));
    }
}

// A plane holds exactly its sites, and the second one only sites of the first.
TEST_P(Agreement, NestsTheColours) {
    if (GetParam()->name != "tree")
        return;
    for (auto const& [grid, counts] :
         {std::pair{"15x15", "71,70"}, {"15x15", "0,225"}, {"13x13", "80,1"}, {"9x9", "31,30"}, {"240x1", "119,2"}}) {
        bench::Problem const asked = problem(grid, counts, 3, 4);
        Workload const workload = read_workload(asked.axes);
        unsigned const words = workload.shape.words();
        for (bench::UnitResult const& unit : run(*GetParam(), asked)) {
            for (std::size_t board = 0; board < 4; ++board) {
                std::uint32_t const* const first = unit.data() + board * 2 * words;
                std::uint32_t const* const second = first + words;
                unsigned sites[2] = {};
                for (unsigned i = 0; i < words; ++i) {
                    sites[0] += static_cast<unsigned>(std::popcount(first[i]));
                    sites[1] += static_cast<unsigned>(std::popcount(second[i]));
                    EXPECT_EQ(second[i] & ~first[i], 0u);
                    EXPECT_EQ(first[i] & ~workload.shape.all_sites()[i], 0u);
                }
                EXPECT_EQ(sites[0], workload.occupied[0]) << grid;
                EXPECT_EQ(sites[1], workload.occupied[1]) << grid;
            }
        }
    }
}

// The kernel for the slides' board knows which parts of the second plane have sites: boards at both ends of what it
// takes, and so many of one kind that some fields leave the split of a part without sites open (one of 4096 does).
TEST_P(Agreement, OfTheSlidesBoardInTwoColours) {
    if (GetParam()->name != "tree")
        return;
    for (char const* const counts : {"65,70", "66,70", "80,70", "81,70", "140,1", "0,141"}) {
        agrees(problem("15x15", counts, 40, 2, "stored"));
        agrees(problem("15x15", counts, 3, 2, "folded"));
    }
    agrees(problem("15x15", "71,70", lockstep::tests::under_compute_sanitizer() ? 40 : 600, 12, "stored"));
}

// Few and many streams for the blocks with fewer threads of `tree`: both are launched.
TEST_P(Agreement, OfPhiloxInBlocksOfTwoSizes) {
    if (GetParam()->name != "tree")
        return;
    for (char const* const engine : {"philox7", "philox10"}) {
        for (std::uint64_t const streams : {40u, 1600u}) {
            for (std::string const grid : {"9x8", "32x3"}) {
                agrees(problem(grid, "mixed", streams, 2, "stored", engine));
                agrees(problem(grid, "half", streams, 2, "folded", engine));
            }
        }
    }
}

// Widths that kernels of `pooled` know, in boards with as few and as many rows as their words allow, one and two
// colours, beside widths that no kernel knows.
TEST_P(Agreement, OfPackedSitesInRowsOfAKnownWidth) {
    if (GetParam()->reference != "pooled")
        return;
    for (std::string const grid : {"15x1", "15x17", "24x11", "24x26", "33x20", "33x34", "48x25", "48x48", "14x18",
                                   "16x16", "40x37", "50x46", "64x36", "65x35", "96x24", "24x10", "48x23"}) {
        for (char const* const output : {"stored", "folded"}) {
            agrees(problem(grid, "half", 33, 2, output));
            if (parse_shape(grid).sites() <= 1152)
                agrees(problem(grid, "7,3,2", 2, 2, output, "philox10"));
        }
    }
}

TEST_P(Agreement, AtTheEdgesOfWarpsAndBlocks) {
    for (std::uint64_t const streams : {0u, 1u, 31u, 32u, 33u, 257u}) {
        for (std::string const grid : {"8x1", "40x1", "5x5", "33x2"}) {
            if (streams > 33 && grid != "8x1" && grid != "40x1")
                continue;
            unsigned const length = lockstep::tests::under_thread_sanitizer ? 1 : 3;
            agrees(problem(grid, "mixed", streams, length, "stored"));
            if (!lockstep::tests::under_thread_sanitizer || streams == 33)
                agrees(problem(grid, "mixed", streams, length, "folded"));
        }
    }
}

TEST_P(Agreement, WithEveryEngine) {
    for (char const* const engine : {"xorwow", "philox7", "philox10", "taus88"}) {
        for (std::string const grid : {"32x1", "40x1", "15x15", "16x16", "32x16", "32x32", "64x64"}) {
            agrees(problem(grid, "half", 2, 2, "stored", engine, 12345));
        }
    }
}

// Methods that draw packed sites draw the same sets in any rows.
TEST_P(Agreement, OfPackedSitesInAnyRows) {
    if (GetParam()->reference != "unranked" && GetParam()->reference != "tree")
        return;
    for (auto const& [rows, row] : {std::pair{"5x5", "25x1"},
                                    {"8x8", "64x1"},
                                    {"9x7", "63x1"},
                                    {"2x32", "64x1"},
                                    {"13x5", "65x1"},
                                    {"33x5", "165x1"},
                                    {"3x100", "300x1"}}) {
        bench::Problem const in_rows = problem(rows, "mixed", 2, 3);
        if (!GetParam()->unsupported_reason(in_rows.axes).empty())
            continue;
        Shape const shape = parse_shape(rows);
        Shape const one_row = parse_shape(row);
        std::vector<bench::UnitResult> const boards = run(*GetParam(), in_rows);
        std::vector<bench::UnitResult> const sets = run(*GetParam(), problem(row, "mixed", 2, 3));
        for (std::size_t unit = 0; unit < 2; ++unit) {
            for (std::size_t board = 0; board < 3; ++board) {
                EXPECT_EQ(sites_of(shape, boards[unit].data() + board * shape.words()),
                          sites_of(one_row, sets[unit].data() + board * one_row.words()))
                    << rows;
            }
        }
    }
}

// Few occupied sites of many: balls are thrown without a test of the site, by one thread, by teams, and with mixed k.
TEST_P(Agreement, OfSparseGrids) {
    for (auto const& [grid, occupied] : {std::pair{"32x32", "100"},
                                         {"32x32", "940"},
                                         {"64x64", "409"},
                                         {"96x96", "900"},
                                         {"128x128", "1638"},
                                         {"128x128", "12"},
                                         {"128x128", "16000"},
                                         {"128x128", "mixed"}}) {
        for (char const* const output : {"stored", "folded"}) {
            bench::Problem const sparse = problem(grid, occupied, 3, 2, output);
            std::string const reference = bench::worker(*GetParam(), sparse.axes).reference;
            if (reference.starts_with("dense") || reference == "pooled")
                agrees(sparse);
        }
    }
}

// Several warps per block whose boards have 20, 32, 36 and 72 words in shared memory.
TEST_P(Agreement, OfSeveralWarpsOfLargeBoards) {
    if (GetParam()->reference != "pooled")
        return;
    for (std::string const grid : {"24x24", "32x32", "33x33", "48x48"}) {
        for (std::string const occupied : {"half", "40"})
            agrees(problem(grid, occupied, 65, 2));
    }
}

// A unit's result does not depend on the other units of the problem. Sharding relies on this.
TEST_P(Agreement, FromAnyFirstUnit) {
    for (std::string const grid : {"32x1", "40x1", "15x15", "40x40"}) {
        bench::Problem asked = problem(grid, "half", 3, 2);
        asked.first_unit = (std::uint64_t{1} << 33) + 5;
        agrees(asked);
        asked.units = 40;
        asked.first_unit += 24;  // in groups of 32 units, those before, between and after
        if (GetParam()->reference == "pooled")
            agrees(asked);
    }
}

TEST_P(Agreement, InEveryOrderOfLanes) {
    if (GetParam()->machine != bench::Machine::emulator)
        return;
    using simt::emulator::LaneOrder;
    for (LaneOrder const order : {LaneOrder::ascending, LaneOrder::descending, LaneOrder::random}) {
        simt::emulator::Options options;
        options.order = order;
        options.seed = 7;
        simt::emulator::ScopedOptions const scope(options);
        for (std::string const grid : {"32x1", "40x1", "15x15", "16x16", "32x16", "32x32", "33x33"}) {
            agrees(problem(grid, "half", 3, 2));
        }
    }
}

// Sets have exactly k sites, bits past the width are 0, and planes are nested. The control without the warp sum
// guarantees none of this.
TEST_P(Agreement, DrawsExactlyK) {
    if (GetParam()->name == "warpwise_no_sum")
        return;
    for (std::string const grid : {"9x1", "32x1", "40x1", "9x7", "32x32"}) {
        unsigned const sites = parse_shape(grid).sites();
        unsigned const step = lockstep::tests::accesses_are_slow() ? 7 : 1;
        for (unsigned k = 0; k <= sites; k += sites > 64 ? 31 * step : step) {
            bench::Problem const asked = problem(grid, std::to_string(k), 1, 2);
            if (!GetParam()->unsupported_reason(asked.axes).empty())
                continue;
            Workload const workload = read_workload(asked.axes);
            bench::UnitResult const words = run(*GetParam(), asked).front();
            std::vector<std::uint32_t> const all = workload.shape.all_sites();
            for (std::size_t board = 0; board < 2; ++board) {
                unsigned count = 0;
                for (std::size_t i = 0; i < all.size(); ++i) {
                    std::uint32_t const word = words[board * all.size() + i];
                    count += static_cast<unsigned>(std::popcount(word));
                    EXPECT_EQ(word & ~all[i], 0u) << grid << " k " << k;
                }
                EXPECT_EQ(count, k) << grid;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Variants, Agreement, testing::ValuesIn(variants_under_test()),
                         [](auto const& of) { return test_name(*of.param); });

}  // namespace
}  // namespace lockstep::random_grids::tests
