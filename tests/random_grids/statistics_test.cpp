// Chi-square over all C(N, k) subsets for several seeds, and a combined test of the p values, for every variant on
// every machine. The seeds are fixed, so the result of a test does not change.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "harness/stats/goodness_of_fit.hpp"
#include "reference_cpu/random_grids/traditional.hpp"
#include "tests/random_grids/samples.hpp"
#include "tests/random_grids/variants.hpp"
#include "tests/support/sanitizers.hpp"

namespace lockstep::random_grids::tests {
namespace {

struct Cells {
    unsigned sites;
    unsigned occupied;
    std::vector<std::string> grids;  // the same number of sites; a variant gets the first that it supports
};

// compute-sanitizer slows kernels down by a factor of 100, so it gets the emulator's sample size.
bool at_full_speed(bench::Machine machine) {
    return machine == bench::Machine::cuda && !lockstep::tests::under_compute_sanitizer();
}

std::vector<Cells> cells_for(bench::Machine machine) {
    if (at_full_speed(machine))
        return {{24, 3, {"6x4", "24x1"}}, {16, 8, {"4x4", "16x1"}}};
    return {{6, 3, {"3x2", "6x1"}}, {8, 4, {"4x2", "8x1"}}, {12, 6, {"4x3", "12x1"}}};
}

unsigned samples_per_cell(bench::Machine machine) { return at_full_speed(machine) ? 2000 : 10; }

class Uniformity : public testing::TestWithParam<bench::Variant const*> {
protected:
    void SetUp() override {
        if (!why_not_here().empty())
            GTEST_SKIP() << why_not_here();
    }
};

// p of one seed. The engine is Philox: With narrow rows, the weakness of XORWOW's low bits is detectable
// (UniformityCatches.XorwowsLowBits).
double p_of(bench::Variant const& variant, Cells const& cells, std::string const& grid, std::uint64_t seed,
            std::uint64_t samples, std::string const& engine = "philox10") {
    SubsetCounts counts(cells.sites, cells.occupied);
    std::uint64_t const wanted = counts.counts().size() * samples;
    std::uint64_t const streams = wanted < 100000 ? 33 : 8192;
    unsigned const length = static_cast<unsigned>((wanted + streams - 1) / streams);
    bench::Problem const asked = problem(grid, std::to_string(cells.occupied), streams, length, "stored", engine, seed);
    Shape const shape = parse_shape(grid);
    for (bench::UnitResult const& result : run(variant, asked)) {
        for (std::size_t at = 0; at < result.size(); at += shape.words()) {
            if (!counts.add(set_number(shape, result.data() + at)))
                ADD_FAILURE() << "not a set of " << cells.occupied;
        }
    }
    return stats::chi_square_uniform(counts.counts()).p;
}

TEST_P(Uniformity, OverAllSubsets) {
    bench::Variant const& variant = *GetParam();
    if (variant.name == "warpwise_no_sum")
        return;  // the control does not draw sets of k
    for (Cells const& cells : cells_for(variant.machine)) {
        for (std::string const& grid : cells.grids) {
            if (!variant.unsupported_reason(problem(grid, "0", 1, 1).axes).empty())
                continue;
            std::vector<double> p;
            unsigned const seeds = variant.machine == bench::Machine::cuda ? 4 : 12;
            for (unsigned seed = 1; seed <= seeds; ++seed)
                p.push_back(p_of(variant, cells, grid, seed, samples_per_cell(variant.machine)));
            EXPECT_GT(*std::min_element(p.begin(), p.end()), 1e-4) << grid;
            EXPECT_GT(stats::kolmogorov_smirnov_uniform(p).p, 1e-3) << grid;
            break;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Variants, Uniformity, testing::ValuesIn(variants_under_test()),
                         [](auto const& of) { return test_name(*of.param); });

// Sets of more than one word, as counted in the GPU test of 10^9 sets: each subset has its own cell, and other sets
// have none.
TEST(SubsetCounts, HaveACellForEverySubset) {
    Shape const shape = parse_shape("36x1");
    SubsetCounts counts(36, 3);
    for (unsigned a = 0; a < 36; ++a) {
        for (unsigned b = 0; b < a; ++b) {
            for (unsigned c = 0; c < b; ++c) {
                std::uint32_t words[2] = {};
                for (unsigned const site : {a, b, c})
                    words[site / 32] |= 1u << site % 32;
                EXPECT_TRUE(counts.add(set_number(shape, words)));
            }
        }
    }
    EXPECT_EQ(counts.counts(), std::vector<std::uint64_t>(7140, 1));
    EXPECT_FALSE(counts.add(3));
    EXPECT_FALSE(counts.add(std::uint64_t{1} << 36 | 3));
}

// Errors that the test must detect with ten samples per cell of (12, 6), the smallest size on the emulator.
double p_of_list(unsigned (*below)(unsigned word, unsigned n)) {
    SubsetCounts counts(12, 6);
    std::mt19937 engine(1);
    for (int i = 0; i < 9240; ++i) {
        Words const set =
            draw_by_list({0xFFFu}, 6, [&](unsigned n) { return below(static_cast<unsigned>(engine()), n); });
        counts.add(set[0]);
    }
    return stats::chi_square_uniform(counts.counts()).p;
}

TEST(UniformityCatches, NothingInAFairList) {
    EXPECT_GT(p_of_list([](unsigned word, unsigned n) {
                  return static_cast<unsigned>(static_cast<std::uint64_t>(word) * n >> 32);
              }),
              1e-3);
}

TEST(UniformityCatches, ModuloBias) {
    EXPECT_LT(p_of_list([](unsigned word, unsigned n) { return (word >> 28) % n; }), 1e-6);
}

// With one set per thread and narrow rows, a set uses the low bits of successive words. In XORWOW, these bits obey
// linear relations over a few words, so sets that would be equally likely with ideal words are not.
TEST(UniformityCatches, XorwowsLowBits) {
    // The reference, or on a GPU the kernel that equals it for every size.
    std::vector<bench::Variant const*> const variants = variants_under_test();
    auto const found = std::find_if(variants.begin(), variants.end(), [](bench::Variant const* variant) {
        bool const on_cpu = variant->name == "halving" && variant->machine == bench::Machine::cpu;
        return on_cpu || (variant->name == "threadwise_runtime" && variant->machine == bench::Machine::cuda);
    });
    ASSERT_NE(found, variants.end());
    if (!why_not_here().empty())
        GTEST_SKIP() << why_not_here();
    Cells const cells{16, 8, {}};
    if (lockstep::tests::under_compute_sanitizer()) {  // no sizes that show it
        EXPECT_GT(p_of(**found, cells, "4x4", 1, 5, "philox10"), 1e-3);
        return;
    }
    EXPECT_LT(p_of(**found, cells, "4x4", 1, 400, "xorwow"), 1e-6);
    EXPECT_GT(p_of(**found, cells, "4x4", 1, 400, "philox10"), 1e-3);
    EXPECT_GT(p_of(**found, cells, "16x1", 1, 400, "xorwow"), 1e-3);
}

TEST(UniformityCatches, DroppedRejection) {
    EXPECT_LT(p_of_list([](unsigned word, unsigned n) { return (word >> 28) * n >> 4; }), 1e-6);
}

}  // namespace
}  // namespace lockstep::random_grids::tests
