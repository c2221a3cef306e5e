// The built-in rule bases: Sudoku's rules on grids with a known answer, shapes, values, digests, shards, and the plans
// of two kernels.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "common/rule_interpreter/initial_values.hpp"
#include "kernels/rule_interpreter/cached_plan.hpp"
#include "kernels/rule_interpreter/queue_plan.hpp"
#include "tests/rule_interpreter/variants.hpp"

namespace lockstep::rule_interpreter::tests {
namespace {

TEST(Sudoku, ContradictionsAndBoundsAreReported) {
    Puzzle twice{};
    twice[0] = twice[8] = 5;
    EXPECT_EQ(conclude(twice, 100, Until::change).outcome, Outcome::contradiction);
    Puzzle const hard =
        parse_puzzle("000000010400000000020000000000050407008000300001090000300400200050100000000806000");
    EXPECT_EQ(conclude(hard, 100, Until::change).outcome, Outcome::solved);
    EXPECT_EQ(conclude(hard, 3, Until::change).outcome, Outcome::bound);
    EXPECT_EQ(conclude(Puzzle{}, 100, Until::change).outcome, Outcome::unfinished);
    // The last pass that the bound allows can solve a grid, or show that it has no solution.
    unsigned const passes = conclude(hard, 100, Until::change).passes;
    EXPECT_EQ(conclude(hard, passes, Until::change).outcome, Outcome::solved);
    EXPECT_EQ(conclude(hard, passes - 1, Until::change).outcome, Outcome::bound);
    EXPECT_EQ(conclude(twice, 1, Until::change).outcome, Outcome::contradiction);
}

// A generated grid breaks no rule for any number of clues; with all 81 clues it is a solution.
TEST(Sudoku, GeneratedGridsAreSound) {
    for (std::uint64_t number = 0; number < 50; ++number) {
        Conclusion const whole = conclude(generated_puzzle(7, number, 81), 100, Until::change);
        EXPECT_EQ(whole.outcome, Outcome::solved);
        Conclusion const part = conclude(generated_puzzle(7, number, 40), 100, Until::change);
        ASSERT_NE(part.outcome, Outcome::contradiction);
        for (unsigned cell = 0; cell < cells; ++cell) {
            // The rules exclude only impossible candidates, so they keep every candidate of the solution from which the
            // clues were taken.
            unsigned const digit = whole.words[cell] & all_digits;
            EXPECT_EQ(part.words[cell] & digit, digit);
        }
    }
}

// Negative control for the check: one result changed, one missing, one too many.
TEST(Summaries, DetectEveryDifference) {
    Job job;
    job.workload.range = 40;
    std::vector<std::uint32_t> results = synthetic_results(job, 3);
    bench::UnitResult const right = summary_of(results);
    std::size_t enabled = 0;
    while (results[enabled] == result_unset)
        ++enabled;
    std::vector<std::uint32_t> changed = results;
    changed[enabled] ^= 1;
    EXPECT_NE(summary_of(changed), right);
    changed = results;
    changed[enabled] = result_unset;
    EXPECT_NE(summary_of(changed), right);
    changed = results;
    std::swap(changed[enabled], changed[enabled + 1]);
    EXPECT_EQ(changed == results, summary_of(changed) == right);
    // One load step more or less changes the checksum, even after thousands of steps.
    for (Shape const& s : compiled_shapes) {
        for (unsigned const load : {1u, 20u, 2000u}) {
            EXPECT_NE(product_checksum(s, 1, 5, load), product_checksum(s, 1, 5, load + 1))
                << s.m << "x" << s.n << "x" << s.o << " " << load;
        }
    }
}

// The paper's 2MNO - MO by hand. 2x2x2: four sums of two products and one addition. 1x1x1: one product.
TEST(Shapes, HaveThePapersCountOfOperations) {
    EXPECT_EQ(paper_operations(Shape(2)), 12u);
    EXPECT_EQ(paper_operations(Shape(1)), 1u);
    EXPECT_EQ(paper_operations(Shape(1, 4, 4)), 28u);
    EXPECT_EQ(paper_operations(Shape(4, 2, 1)), 12u);
    EXPECT_EQ(paper_operations(Shape(2, 4, 8)), 112u);
    // In FP32 slots, a product and its addition take one; 4x2x1 adds two rows of its product to the other two.
    EXPECT_EQ(slots_per_product(Shape(2)), 8u);
    EXPECT_EQ(slots_per_product(Shape(4, 2, 1)), 8u + 2u);
}

// Words of B remain in the range of its first words, about 0.5 to 2.5, for any number of products. The checksum weights
// the N O words by 1, 2, 3 ...
TEST(Shapes, KeepTheirMatricesBounded) {
    for (Shape const& s : compiled_shapes) {
        if (s == Shape(1))
            continue;
        float const weights = static_cast<float>(s.n * s.o) * static_cast<float>(s.n * s.o + 1) / 2;
        for (unsigned const load : {0u, 1u, 7u, 500u}) {
            for (unsigned i = 0; i < 20; ++i) {
                float const sum = std::bit_cast<float>(product_checksum(s, 1, i, load));
                EXPECT_GT(sum, 0.5f * weights) << s.m << "x" << s.n << "x" << s.o << " " << load;
                EXPECT_LT(sum, 2.5f * weights) << s.m << "x" << s.n << "x" << s.o << " " << load;
            }
        }
    }
}

// One product of 4x2x1, where B is a column of two words, by hand.
TEST(Shapes, FoldTheRowsOfAProductIntoB) {
    std::uint32_t word = 1 * 0x9E3779B1u + 3 * 0x85EBCA6Bu;
    word ^= word >> 15;
    float const start = std::bit_cast<float>(0x3F800000u | word >> 9);
    float const small = start / 4096;
    float const b[] = {start * 0.5f + 0.5f, start + 0.5f};
    // Row r of A has its small element in column r % 2, and the rest of 1/2 in the other.
    float c[4];
    for (unsigned row = 0; row < 4; ++row) {
        unsigned const column = row % 2;
        float const element = small * (1 + static_cast<float>(row * 2 + column) / 16);
        c[row] = element * b[column] + (0.5f - element) * b[1 - column];
    }
    float const expected = (c[0] + c[2]) + 2 * (c[1] + c[3]);
    EXPECT_NEAR(std::bit_cast<float>(product_checksum(Shape(4, 2, 1), 1, 3, 1)), expected, 1e-5f);
}

// Results of the square shapes from before shapes had three sizes.
TEST(Shapes, KeepTheResultsOfSquareProducts) {
    EXPECT_EQ(product_checksum(1, 1, 5, 0), 0x3f9de90du);
    EXPECT_EQ(product_checksum(1, 1, 5, 1), 0xbe6ee701u);
    EXPECT_EQ(product_checksum(1, 1, 5, 23), 0xbe69f12bu);
    EXPECT_EQ(product_checksum(2, 1, 5, 0), 0x41640a7cu);
    EXPECT_EQ(product_checksum(2, 1, 5, 1), 0x413c9544u);
    EXPECT_EQ(product_checksum(2, 1, 5, 23), 0x413ce421u);
    EXPECT_EQ(product_checksum(4, 1, 5, 0), 0x4337593du);
    EXPECT_EQ(product_checksum(4, 1, 5, 1), 0x4319c117u);
    EXPECT_EQ(product_checksum(4, 1, 5, 23), 0x4319e967u);
    EXPECT_EQ(product_checksum(8, 1, 5, 0), 0x452cc0f8u);
    EXPECT_EQ(product_checksum(8, 1, 5, 1), 0x451b7553u);
    EXPECT_EQ(product_checksum(8, 1, 5, 23), 0x451aea4bu);
}

// Section 6: values are uniform on 0 .. phi - 1, and 0 is disabled. A count of n draws with probability 1 / phi lies
// within five standard deviations of n / phi.
TEST(Values, AreUniformBelowPhi) {
    constexpr unsigned draws = 100000;
    for (unsigned const phi : {1u, 2u, 3u, 7u}) {
        std::vector<unsigned> counts(phi);
        for (unsigned i = 0; i < draws; ++i)
            ++counts.at(cpu::initial_value({.seed = 1, .divergence = phi}, i / 1000, i % 1000));
        double const expected = static_cast<double>(draws) / phi;
        double const bound = 5 * std::sqrt(expected * (1 - 1.0 / phi));
        for (unsigned const count : counts)
            EXPECT_NEAR(count, expected, bound) << phi;
    }
}

TEST(CachedPlan, ChoosesWarpsByTheSizeOfAState) {
    constexpr std::size_t room = 227 * 1024 - 256;
    auto const plan = [](std::size_t bytes, unsigned warps = 0) { return plan_cached(bytes, room, warps); };
    EXPECT_EQ(plan(8 * 256).warps_per_state, 1u);
    EXPECT_EQ(plan(8 * 256).states_per_block, max_cached_states);
    EXPECT_EQ(plan(8 * 1024).warps_per_state, 2u);
    EXPECT_EQ(plan(8 * 1024).states_per_block, 1u);
    EXPECT_EQ(plan(8 * 4096).warps_per_state, 8u);
    EXPECT_EQ(plan(room).warps_per_state, max_cached_warps);
    EXPECT_EQ(plan(room / 3, 1).states_per_block, 3u);
    EXPECT_EQ(plan(4).states_per_block, max_cached_states);
    EXPECT_EQ(plan_cached(40000, 48 * 1024, 1).states_per_block, 1u);
}

// The rules of Sudoku remove candidates and never return one, so no state repeats except the fixed point.
TEST(Sudoku, DoesNotOscillate) {
    for (std::uint64_t number = 0; number < 20; ++number) {
        Puzzle const puzzle = generated_puzzle(3, number, 28);
        Conclusion const stable = conclude(puzzle, 100, Until::change);
        Conclusion const found = conclude(puzzle, 100, Until::cycle);
        EXPECT_EQ(found.period, 1u);
        EXPECT_EQ(words_of(found), words_of(stable));
    }
    EXPECT_EQ(conclude(generated_puzzle(3, 0, 28), 1, Until::cycle).period, 0u);
    bench::Problem const asked = problem({{"rules", "sudoku"}, {"states", "3"}, {"clues", "30"}, {"until", "cycle"}});
    for (bench::Variant const& variant : experiment().variants) {
        if (variant.machine != bench::Machine::emulator || !variant.unsupported_reason(asked.axes).empty())
            continue;
        std::unique_ptr<bench::Case> const made = variant.make(asked);
        made->reset();
        made->run({});
        EXPECT_EQ(made->metrics().at("max_period"), 1) << variant.name;
        EXPECT_EQ(made->metrics().at("oscillating"), 0) << variant.name;
    }
}

// Digests of shards add up to the digest of the complete run for a variant that groups states.
TEST(Shards, AddUpToTheWhole) {
    for (bench::Variant const& variant : experiment().variants) {
        if (variant.machine != bench::Machine::emulator || (variant.name != "algorithm3" && variant.name != "auto"))
            continue;
        bench::Problem whole = problem({{"states", "11"}, {"range", "50"}, {"load", "1"}});
        auto const digest = [&](std::uint64_t first, std::uint64_t units) {
            bench::Problem part = whole;
            part.first_unit = first;
            part.units = units;
            std::unique_ptr<bench::Case> const made = variant.make(part);
            made->reset();
            made->run({});
            return made->digest();
        };
        EXPECT_EQ(digest(0, 11), digest(0, 4) + digest(4, 4) + digest(8, 3)) << variant.name;
    }
}

TEST(QueuePlan, FillsTheCardAndKeepsLanesBusy) {
    auto const plan = [](std::uint64_t states, unsigned range, unsigned load) {
        Job job;
        job.states = states;
        job.workload.range = range;
        job.workload.load = load;
        return plan_queue(job, 0, 0, 0);
    };
    EXPECT_EQ(plan(16384, 1024, 2000).warps_per_state, 1u);
    EXPECT_GT(plan(1, 65535, 20).warps_per_state, 100u);
    EXPECT_EQ(plan(1, 1, 20).warps_per_state, 1u);
    EXPECT_EQ(plan(16384, 32, 20).states_per_warp, 2u);
    EXPECT_EQ(plan(1u << 18, 32, 20).states_per_warp, 16u);
    EXPECT_EQ(plan(1u << 18, 1024, 20).states_per_warp, 1u);
    EXPECT_EQ(plan(16, 32, 20).states_per_warp, 1u);
    EXPECT_GT(plan(16384, 1024, 2000).bypass_threshold, plan(16384, 1024, 1).bypass_threshold);
}

}  // namespace
}  // namespace lockstep::rule_interpreter::tests
