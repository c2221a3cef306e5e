// Statistics of sets that are too numerous to count individually: frequencies of sites, of pairs at a fixed lag, and
// common sites of neighbouring boards and streams.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <string_view>

#include "harness/stats/goodness_of_fit.hpp"
#include "reference_cpu/random_grids/halving.hpp"
#include "tests/random_grids/samples.hpp"
#include "tests/random_grids/variants.hpp"
#include "tests/support/compute_sanitizer.hpp"

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

// Chi-square over all pairs of boards of two colours that neighbouring lanes of a warp draw.
TEST_P(LargeSets, NeighbouringBoardsOfTwoColours) {
    bench::Variant const& variant = *GetParam();
    if (variant.reference != "tree")
        return;
    // A board of three rows of two sites, two occupied: 15 places for both, and 2 for the second colour.
    bool const many = variant.machine == bench::Machine::cuda && !lockstep::tests::under_compute_sanitizer();
    bench::Problem const asked = problem("2x3", "1,1", many ? 8192 : 64, many ? 2048 : 400, "stored", "philox10", 9);
    std::vector<std::uint64_t> pairs(36 * 36, 0);
    std::vector<bench::UnitResult> const units = run(variant, asked);
    auto const cell = [](std::uint32_t const* words) {
        Shape const shape{2, 3};
        auto const both = static_cast<unsigned>(set_number(shape, words));
        auto const second = static_cast<unsigned>(set_number(shape, words + 3));
        return static_cast<unsigned>(std::countr_zero(both & ~second) * 6 + std::countr_zero(second));
    };
    for (std::size_t unit = 0; unit < units.size(); unit += 2) {
        for (std::size_t at = 0; at < units[unit].size(); at += 6)
            ++pairs[cell(units[unit].data() + at) * 36 + cell(units[unit + 1].data() + at)];
    }
    std::vector<std::uint64_t> possible;
    for (unsigned i = 0; i < 36 * 36; ++i) {
        bool const is_possible = i / 36 / 6 != i / 36 % 6 && i % 36 / 6 != i % 36 % 6;  // not twice the same site
        if (is_possible)
            possible.push_back(pairs[i]);
        else
            EXPECT_EQ(pairs[i], 0u);
    }
    EXPECT_EQ(possible.size(), 900u);
    EXPECT_GT(stats::chi_square_uniform(possible).p, 1e-4);
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
