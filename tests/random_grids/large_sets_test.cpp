// Statistics of sets that are too numerous to count individually: frequencies of sites, of pairs at a fixed lag, and
// common sites of neighbouring boards and streams.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <string_view>
#include <utility>

#include "common/random_grids/colour_shape.hpp"
#include "harness/stats/goodness_of_fit.hpp"
#include "reference_cpu/random_grids/halving.hpp"
#include "tests/random_grids/samples.hpp"
#include "tests/random_grids/variants.hpp"
#include "tests/support/sanitizers.hpp"

namespace lockstep::random_grids::tests {
namespace {

class LargeSets : public testing::TestWithParam<bench::Variant const*> {
protected:
    void SetUp() override {
        if (!why_not_here().empty())
            GTEST_SKIP() << why_not_here();
    }
};

LargeSetStatistics statistics_of(bench::Variant const& variant, bench::Problem const& asked) {
    Workload const workload = read_workload(asked.axes);
    LargeSetStatistics statistics(workload.shape.sites(), workload.occupied[0]);
    std::vector<unsigned char> neighbour;  // the last board of the previous stream
    for (bench::UnitResult const& result : run(variant, asked)) {
        for (std::size_t at = 0; at < result.size(); at += workload.shape.words()) {
            std::vector<unsigned char> const sites = sites_of(workload.shape, result.data() + at);
            statistics.add(sites);
            if (!neighbour.empty())
                statistics.add_pair(neighbour, sites);
            neighbour = sites;
        }
    }
    return statistics;
}

TEST_P(LargeSets, SitesAndPairs) {
    bench::Variant const& variant = *GetParam();
    if (variant.name == "warpwise_no_sum")
        return;  // the control does not draw sets of k
    struct Size {
        char const* grid;
        char const* occupied;
    };
    for (Size const size : {Size{"32x1", "16"}, Size{"64x1", "20"}, Size{"15x15", "141"}, Size{"32x32", "512"},
                            Size{"32x32", "100"}, Size{"33x33", "1000"}, Size{"64x64", "2048"}, Size{"64x64", "409"}}) {
        if (std::string_view(size.occupied) == "409" && !variant.reference.starts_with("dense") &&
            variant.reference != "pooled")
            continue;  // the others treat few and many sites the same way
        unsigned const length = parse_shape(size.grid).sites() > 2000 ? 4 : 16;
        bench::Problem const asked = problem(size.grid, size.occupied, 33, length, "stored", "philox10", 3);
        if (!variant.unsupported_reason(asked.axes).empty())
            continue;
        LargeSetStatistics const statistics = statistics_of(variant, asked);
        SCOPED_TRACE(std::string(size.grid) + " occupied " + size.occupied);
        EXPECT_LT(std::abs(statistics.frequency_z()), 4.0);
        EXPECT_LT(statistics.worst_lag_z(), 5.0);
        EXPECT_LT(std::abs(statistics.lags_z()), 4.0);
        EXPECT_LT(std::abs(statistics.overlap_z()), 4.0);
    }
}

// Chi-square over all pairs of two sites, occupied or empty, that a group of 128 sites and a further set of two can
// have.
TEST_P(LargeSets, AllPairsOfTheTree) {
    bench::Variant const& variant = *GetParam();
    if (variant.reference != "tree")
        return;
    bool const many = variant.machine == bench::Machine::cuda && !lockstep::tests::under_compute_sanitizer();
    for (unsigned const occupied : {2u, 128u}) {
        bench::Problem const asked = problem("130x1", std::to_string(occupied), many ? 8192 : 256, many ? 2048 : 330,
                                             "stored", "philox10", occupied);
        Shape const shape = parse_shape("130x1");
        std::vector<std::uint64_t> pairs(130 * 129 / 2, 0);
        for (bench::UnitResult const& result : run(variant, asked)) {
            for (std::size_t at = 0; at < result.size(); at += shape.words()) {
                std::vector<unsigned> found;
                std::vector<unsigned char> const sites = sites_of(shape, result.data() + at);
                for (unsigned site = 0; site < 130; ++site) {
                    if (sites[site] == (occupied == 2 ? 1 : 0))
                        found.push_back(site);
                }
                ASSERT_EQ(found.size(), 2u);
                ++pairs[found[1] * (found[1] - 1) / 2 + found[0]];
            }
        }
        EXPECT_GT(stats::chi_square_uniform(pairs).p, 1e-4) << occupied;
    }
}

// A board of two colours with one site each.
struct TwoSites {
    unsigned first = 0;
    unsigned second = 0;
};

// Boards of each two neighbouring lanes of a warp. Empty if one has another number of sites.
std::vector<std::pair<TwoSites, TwoSites>> neighbours(bench::Variant const& variant, char const* grid) {
    Shape const shape = parse_shape(grid);
    bool const many = variant.machine == bench::Machine::cuda && !lockstep::tests::under_compute_sanitizer();
    bench::Problem const asked = problem(grid, "1,1", many ? 8192 : 64, many ? 2048 : 400, "stored", "philox10", 9);
    std::vector<bench::UnitResult> const units = run(variant, asked);
    bool have_two_sites = true;
    auto const sites_at = [&](std::uint32_t const* words) {
        std::uint64_t const both = set_number(shape, words);
        std::uint64_t const second = set_number(shape, words + shape.words());
        have_two_sites = have_two_sites && std::popcount(both) == 2 && std::popcount(second) == 1 &&
                         (second & ~both) == 0 && both >> shape.sites() == 0;
        return TwoSites{static_cast<unsigned>(std::countr_zero(both & ~second)),
                        static_cast<unsigned>(std::countr_zero(second))};
    };
    std::vector<std::pair<TwoSites, TwoSites>> found;
    for (std::size_t unit = 0; unit < units.size(); unit += 2) {
        for (std::size_t at = 0; at < units[unit].size(); at += 2 * std::size_t{shape.words()})
            found.emplace_back(sites_at(units[unit].data() + at), sites_at(units[unit + 1].data() + at));
    }
    return have_two_sites ? found : std::vector<std::pair<TwoSites, TwoSites>>();
}

// Chi-square over all pairs of boards of two colours that neighbouring lanes of a warp draw. A board has three rows of
// two sites: 6 places for the first colour, and 5 for the second one.
TEST_P(LargeSets, NeighbouringBoardsOfTwoColours) {
    bench::Variant const& variant = *GetParam();
    if (variant.reference != "tree")
        return;
    auto const boards = neighbours(variant, "2x3");
    ASSERT_FALSE(boards.empty()) << "a board has another number of sites";
    auto const place = [](TwoSites const& sites) {
        return sites.first * 5 + sites.second - (sites.second > sites.first ? 1 : 0);
    };
    std::vector<std::uint64_t> pairs(30 * 30, 0);
    for (auto const& [one, other] : boards)
        ++pairs[place(one) * 30 + place(other)];
    EXPECT_GT(stats::chi_square_uniform(pairs).p, 1e-4);
}

// The same for boards that are a full set, whose splits have a table per lane: chi-square over all places of both
// colours, and over the fifths of a part that neighbouring lanes give the second one.
TEST_P(LargeSets, NeighbouringBoardsOfTwoColoursOnAFullSet) {
    bench::Variant const& variant = *GetParam();
    if (variant.reference != "tree")
        return;
    auto const boards = neighbours(variant, "15x4");
    ASSERT_FALSE(boards.empty()) << "a board has another number of sites";
    constexpr unsigned sites = colour_set_sites;
    constexpr unsigned fifths = sites / 3;
    std::vector<std::uint64_t> places(sites * (sites - 1), 0);
    std::vector<std::uint64_t> pairs(fifths * fifths, 0);
    for (auto const& [one, other] : boards) {
        for (TwoSites const& board : {one, other})
            ++places[board.first * (sites - 1) + board.second - (board.second > board.first ? 1 : 0)];
        ++pairs[one.second / 3 * fifths + other.second / 3];
    }
    EXPECT_GT(stats::chi_square_uniform(places).p, 1e-4);
    EXPECT_GT(stats::chi_square_uniform(pairs).p, 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Variants, LargeSets, testing::ValuesIn(variants_under_test()),
                         [](auto const& of) { return test_name(*of.param); });

// Draws a set of 512 sites in 32 rows of 32, from the words of next_word(lane).
template <class NextWord>
LargeSetStatistics drawn_with(NextWord&& next_word, unsigned boards) {
    LargeSetStatistics statistics(1024, 512);
    std::vector<unsigned char> neighbour;
    for (unsigned i = 0; i < boards; ++i) {
        Set const all(32, 0xFFFFFFFFu);
        std::vector<unsigned char> const sites =
            sites_of(Shape{32, 32}, halve(all, {32, 1, 32}, 512, next_word).data());
        statistics.add(sites);
        if (!neighbour.empty())
            statistics.add_pair(neighbour, sites);
        neighbour = sites;
    }
    return statistics;
}

TEST(LargeSetsCatch, NothingInFairWords) {
    std::mt19937 engine(1);
    LargeSetStatistics const statistics =
        drawn_with([&](unsigned) { return static_cast<std::uint32_t>(engine()); }, 500);
    EXPECT_LT(std::abs(statistics.frequency_z()), 4.0);
    EXPECT_LT(statistics.worst_lag_z(), 5.0);
    EXPECT_LT(std::abs(statistics.overlap_z()), 4.0);
}

// Lanes 0 and 1 share three of four words, as with badly chosen stream numbers. (If they shared all words, the loop
// would not end when an odd number of sites remains to be chosen from pairs of equal words.)
TEST(LargeSetsCatch, AWordReusedByTwoLanes) {
    std::mt19937 engine(1);
    std::uint32_t shared = 0;
    LargeSetStatistics const statistics = drawn_with(
        [&](unsigned lane) {
            std::uint32_t const word = static_cast<std::uint32_t>(engine());
            if (lane == 0)
                shared = word;
            return lane == 1 && word % 4 != 0 ? shared : word;
        },
        500);
    EXPECT_GT(statistics.lag_z(32), 8.0);
}

// The lowest bit of a word is set with probability 3/4. (Halving compensates for a smaller bias, because it includes as
// often as it excludes.)
TEST(LargeSetsCatch, ABiasedBit) {
    std::mt19937 engine(1);
    LargeSetStatistics const statistics = drawn_with(
        [&](unsigned) {
            std::uint32_t const word = static_cast<std::uint32_t>(engine());
            return word >> 31 != 0 ? word | 1u : word;
        },
        500);
    EXPECT_GT(std::max(statistics.frequency_z(), statistics.worst_lag_z()), 8.0);
}

}  // namespace
}  // namespace lockstep::random_grids::tests
