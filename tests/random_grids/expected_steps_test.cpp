// The distribution of the number of steps: exact values against the literature, a direct sum and the reference's
// counts.

#include "common/random_grids/expected_steps.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "common/random_grids/warpwise_no_sum.hpp"
#include "reference_cpu/random_grids/halving.hpp"
#include "tests/random_grids/variants.hpp"

namespace lockstep::random_grids::tests {
namespace {

TEST(ExpectedSteps, SmallSetsByHand) {
    EXPECT_EQ(expected_steps(1)[0], 0.0);
    // One site, wanted: each step selects it with probability 1/2.
    EXPECT_NEAR(expected_steps(1)[1], 2.0, 1e-12);
    // One of two: half of all selections contain exactly one site and end the loop; the others change nothing.
    EXPECT_NEAR(expected_steps(2)[1], 2.0, 1e-12);
    // Both of two: T = 1 + T/4 + 2/4 * T(1, 1).
    EXPECT_NEAR(expected_steps(2)[2], 8.0 / 3.0, 1e-12);
}

TEST(ExpectedSteps, KnownValues) {
    std::vector<double> const of_32 = expected_steps(32);
    EXPECT_NEAR(of_32[1], 5.52, 0.005);
    EXPECT_NEAR(of_32[8], 4.99, 0.005);
    EXPECT_NEAR(of_32[16], 4.872, 0.0005);
    EXPECT_NEAR(of_32[31], 5.52, 0.005);
    EXPECT_NEAR(of_32[32], 6.36, 0.005);
    EXPECT_NEAR(expected_steps(64)[32], 5.824, 0.0005);
}

TEST(ExpectedSteps, DistributionHasTheSameMean) {
    for (unsigned const k : {0u, 1u, 7u, 16u, 32u}) {
        double mean = 0;
        for (double const probability : steps_distribution(32, k, 80))
            mean += 1 - probability;
        EXPECT_NEAR(mean, expected_steps(32)[k], 1e-9) << k;
    }
}

TEST(ExpectedSteps, DivergenceFactorOfAWarp) {
    EXPECT_NEAR(divergence_factor(steps_distribution(32, 16, 80), 32), 2.119, 0.001);
    EXPECT_NEAR(divergence_factor(steps_distribution(32, 16, 80), 1), 1.0, 1e-12);
    EXPECT_EQ(divergence_factor(steps_distribution(8, 0, 10), 32), 1.0);
    EXPECT_NEAR(divergence_factor(steps_distribution(64, 32, 80), 32), 1.945, 0.001);

    std::vector<double> mixed(81, 0.0);  // k uniform on 1..31
    for (unsigned k = 1; k <= 31; ++k) {
        std::vector<double> const of_k = steps_distribution(32, k, 80);
        for (std::size_t t = 0; t < mixed.size(); ++t)
            mixed[t] += of_k[t] / 31;
    }
    EXPECT_NEAR(divergence_factor(mixed, 32), 2.042, 0.001);
}

// The control without the warp sum takes these numbers of steps, on average over a stream.
TEST(ExpectedSteps, ControlTakesThem) {
    Workload const workload = read_workload(problem("32x1", "16", 1, 1).axes);
    cpu::ControlSteps control(control_steps(workload));
    unsigned sum = 0;
    for (unsigned set = 0; set < 10000; ++set) {
        unsigned const steps = control.next();
        EXPECT_TRUE(steps == 4 || steps == 5);
        sum += steps;
    }
    EXPECT_NEAR(sum / 10000.0, expected_steps(32)[16], 0.001);
    double const colours = (expected_steps(225)[141] + expected_steps(141)[70]) / 2;
    EXPECT_NEAR(control_steps(read_workload(problem("15x15", "71,70", 1, 1).axes)) / 65536.0, colours, 0.001);
    EXPECT_EQ(control_steps(read_workload(problem("32x1", "0", 1, 1).axes)), 0u);
}

// Within four standard errors of the counts that the CPU variants record.
TEST(ExpectedSteps, ReferenceCountsThem) {
    for (auto const& [grid, occupied] : {std::pair{"32x1", "16"}, std::pair{"64x1", "32"}, std::pair{"15x15", "141"}}) {
        for (bench::Variant const& variant : experiment().variants) {
            if (variant.name != "halving" && variant.name != "halving_by_lane")
                continue;
            bench::Metrics const metrics = variant.make(problem(grid, occupied, 256, 100))->metrics();
            double const error = metrics.at("steps_sigma") / std::sqrt(metrics.at("sets_counted"));
            EXPECT_NEAR(metrics.at("steps_mean"), metrics.at("steps_expected"), 4 * error) << variant.name << grid;
            double const words_per_step = metrics.at("words_mean") / metrics.at("steps_mean");
            double const words =
                variant.name == "halving" ? parse_shape(grid).words() : 32 * parse_shape(grid).words_per_row();
            EXPECT_NEAR(words_per_step, words, 1e-9) << variant.name << grid;
            // Whether a step includes or excludes, it tends to keep the larger part, which is somewhat more than half
            // of the candidates.
            EXPECT_GT(metrics.at("candidates_kept"), 0.5);
            EXPECT_LT(metrics.at("candidates_kept"), 0.65);
        }
    }
}

}  // namespace
}  // namespace lockstep::random_grids::tests
