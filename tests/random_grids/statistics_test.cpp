// Chi-square over all C(N, k) subsets, several seeds, and a test of the p values together; every variant on every
// machine. The seeds are fixed, so a test that passes once passes always.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "harness/stats/goodness_of_fit.hpp"
#include "reference_cpu/random_grids/traditional.hpp"
#include "tests/random_grids/samples.hpp"
#include "tests/random_grids/variants.hpp"

namespace lockstep::random_grids::tests {
namespace {

struct Cells {
    unsigned sites;
    unsigned occupied;
    std::vector<std::string> grids;  // the same number of sites; a variant gets the first that it takes
};

std::vector<Cells> cells_for(bench::Machine machine) {
    if (machine == bench::Machine::cuda)
        return {{24, 3, {"6x4", "24x1"}}, {16, 8, {"4x4", "16x1"}}};
    return {{6, 3, {"3x2", "6x1"}}, {8, 4, {"4x2", "8x1"}}, {12, 6, {"4x3", "12x1"}}};
}

// Samples a cell; compute-sanitizer makes kernels a hundred times slower.
unsigned samples_a_cell(bench::Machine machine) {
    return machine == bench::Machine::cuda && std::getenv("LOCKSTEP_COMPUTE_SANITIZER") == nullptr ? 2000 : 10;
}

class Uniformity : public testing::TestWithParam<bench::Variant const*> {
protected:
    void SetUp() override {
        if (!why_not_here().empty())
            GTEST_SKIP() << why_not_here();
    }
};

// p of one seed.
double p_of(bench::Variant const& variant, Cells const& cells, std::string const& grid, std::uint64_t seed) {
    SubsetCounts counts(cells.sites, cells.occupied);
    std::uint64_t const wanted = counts.counts().size() * samples_a_cell(variant.machine);
    std::uint64_t const streams = wanted < 100000 ? 33 : 8192;
    unsigned const length = static_cast<unsigned>((wanted + streams - 1) / streams);
    bench::Problem const asked =
        problem(grid, std::to_string(cells.occupied), streams, length, "stored", "xorwow", seed);
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
        return;  // the control, which draws no sets of k
    for (Cells const& cells : cells_for(variant.machine)) {
        for (std::string const& grid : cells.grids) {
            if (!variant.refuses(problem(grid, "0", 1, 1).axes).empty())
                continue;
            std::vector<double> p;
            unsigned const seeds = variant.machine == bench::Machine::cuda ? 4 : 12;
            for (unsigned seed = 1; seed <= seeds; ++seed)
                p.push_back(p_of(variant, cells, grid, seed));
            EXPECT_GT(*std::min_element(p.begin(), p.end()), 1e-4) << grid;
            EXPECT_GT(stats::kolmogorov_smirnov_uniform(p).p, 1e-3) << grid;
            break;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Variants, Uniformity, testing::ValuesIn(variants_under_test()),
                         [](auto const& of) { return test_name(*of.param); });

// Mistakes that the test must catch with ten samples a cell of (12, 6), the smallest of its sizes that the emulator
// gets.
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

TEST(UniformityCatches, DroppedRejection) {
    EXPECT_LT(p_of_list([](unsigned word, unsigned n) { return (word >> 28) * n >> 4; }), 1e-6);
}

}  // namespace
}  // namespace lockstep::random_grids::tests
