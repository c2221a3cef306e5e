// Our variants on a GPU: chi-square over all subsets from at least 10^9 sets, in the smallest sizes that still use
// every part of an algorithm. The test is certain to detect a deviation of one part in a thousand in a single cell of
// C(16, 8). Under compute-sanitizer, which would take hours, it uses ten sets per cell, or fewer of many cells.

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/stats/goodness_of_fit.hpp"
#include "tests/random_grids/samples.hpp"
#include "tests/random_grids/variants.hpp"
#include "tests/support/sanitizers.hpp"

namespace lockstep::random_grids::tests {
namespace {

struct Size {
    char const* variant;
    char const* grid;
    unsigned sites;
    unsigned occupied;
};

void PrintTo(Size const& size, std::ostream* out) { *out << size.variant << ' ' << size.grid << ' ' << size.occupied; }

class ABillionSets : public testing::TestWithParam<Size> {};

TEST_P(ABillionSets, AreUniform) {
    if (!why_not_here().empty())
        GTEST_SKIP() << why_not_here();
    Size const size = GetParam();
    bench::Variant const* variant = nullptr;
    for (bench::Variant const* found : variants_under_test()) {
        if (found->name == size.variant)
            variant = found;
    }
    ASSERT_NE(variant, nullptr);
    SubsetCounts counts(size.sites, size.occupied);
    Shape const shape = parse_shape(size.grid);
    bool const sanitized = lockstep::tests::under_compute_sanitizer();
    std::uint64_t const cells = counts.counts().size();
    std::uint64_t const wanted = sanitized ? std::min<std::uint64_t>(10 * cells, 100000) : 1000000000;
    unsigned const streams = sanitized ? 64 : 32768;
    std::uint64_t sets = 0;
    std::uint64_t wrong = 0;
    for (std::uint64_t seed = 1; sets < wanted; ++seed) {
        bench::Problem const asked = problem(size.grid, std::to_string(size.occupied), streams,
                                             static_cast<unsigned>(1024 / shape.words()), "stored", "philox10", seed);
        for (bench::UnitResult const& result : run(*variant, asked)) {
            for (std::size_t at = 0; at < result.size(); at += shape.words()) {
                wrong += counts.add(set_number(shape, result.data() + at)) ? 0 : 1;
                ++sets;
            }
        }
    }
    EXPECT_EQ(wrong, 0u);
    if (wanted >= 5 * cells) {
        EXPECT_GT(stats::chi_square_uniform(counts.counts()).p, 1e-4);
    }
}

INSTANTIATE_TEST_SUITE_P(Sizes, ABillionSets,
                         testing::Values(Size{"unranked", "24x1", 24, 3}, Size{"unranked", "20x1", 20, 10},
                                         Size{"unranked", "36x1", 36, 3}, Size{"unranked", "8x8", 64, 2},
                                         Size{"unranked", "52x1", 52, 2}, Size{"dense", "4x4", 16, 8},
                                         Size{"dense", "6x4", 24, 3}, Size{"pooled", "4x4", 16, 8},
                                         Size{"pooled", "6x4", 24, 3}));

}  // namespace
}  // namespace lockstep::random_grids::tests
