// Intervals cover at their stated level: means, quantiles, antithetic pairs and differences, from model files on the
// CPU. `replicate --coverage` does the same with more replications.

#include <cmath>

#include "common/replications/coverage.hpp"
#include "tests/replications/model_files.hpp"

namespace lockstep::replications::tests {
namespace {

constexpr std::size_t sample_size = 20;
constexpr std::uint64_t sample_count = 4000;

std::vector<std::vector<double>> rows_of(std::string const& measures, bool antithetic = false) {
    ModelFile const file = parse_model_file(
        "parameter u64 steps = 1;\nstruct State { f64 n = 0, e = 0, u = 0; };\n"
        "void step(State& s) { s.n = draw.normal(5, 2); s.e = draw.exponential(1.0);\n"
        "s.u = draw.uniform(); }\n" +
            measures,
        "own.hpp");
    ModelOptions options = options_of(file, {});
    options.antithetic = antithetic;
    return measures_of(file, options, bench::Machine::cpu, "auto", sample_size * sample_count);
}

// Four standard deviations of a share of `sample_count`.
void expect_level(Coverage const& coverage, double level) {
    EXPECT_EQ(coverage.samples, sample_count);
    EXPECT_NEAR(coverage.share(), level, 4 * std::sqrt(level * (1 - level) / static_cast<double>(sample_count)));
}

TEST(Coverage, OfMeansIsTheConfidence) {
    std::vector<double> const normal = column(rows_of("result n = s.n;"), 0);
    for (double const level : {0.5, 0.9, 0.95, 0.99})
        expect_level(coverage_of_mean(normal, sample_size, 5, {level, {}, false, 0, 0}), level);
    // A wrong truth is not covered.
    EXPECT_LT(coverage_of_mean(normal, sample_size, 6, {}).share(), 0.6);
}

// Of exponential variates, whose skewness is 2. Student's intervals miss their level by more than the tolerance.
TEST(Coverage, OfSkewedMeansIsTheConfidenceOrSlightlyMore) {
    std::vector<double> const exponential = column(rows_of("result e = s.e;"), 0);
    for (double const level : {0.9, 0.95}) {
        Analysis analysis;
        analysis.confidence = level;
        double const skewed = coverage_of_mean(exponential, sample_size, 1, analysis).share();
        EXPECT_NEAR(skewed, level + 0.01, 0.015);
        analysis.mean_interval = MeanInterval::student;
        EXPECT_LT(coverage_of_mean(exponential, sample_size, 1, analysis).share(), level - 0.015);
    }
}

// Of five values, the largest one is below the 0.9 quantile too often.
TEST(Coverage, SamplesWithoutAnIntervalDoNotCount) {
    std::vector<double> const values(100, 1.0);
    EXPECT_EQ(coverage_of_quantile(values, 5, 0.9, 1, 0.95).samples, 0u);
    EXPECT_EQ(coverage_of_quantile(values, 50, 0.9, 1, 0.95).samples, 2u);
    EXPECT_EQ(coverage_of_mean(values, 1, 1).samples, 0u);
}

// Intervals of order statistics cover at least at their level, and at most by the step to the next ones more.
TEST(Coverage, OfQuantilesIsThatOfTheirOrderStatistics) {
    std::vector<double> const exponential = column(rows_of("result e = s.e;"), 0);
    for (double const probability : {0.3, 0.5, 0.7}) {
        double const truth = -std::log(1 - probability);
        std::vector<double> const first(exponential.begin(), exponential.begin() + sample_size);
        double const level = stats::quantile_interval(first, probability, 0.9)->coverage;
        EXPECT_GE(level, 0.9);
        expect_level(coverage_of_quantile(exponential, sample_size, probability, truth, 0.9), level);
    }
}

// Pairs that are taken for independent replications have intervals that are too wide for a monotone measure.
TEST(Coverage, OfAntitheticPairsNeedsThePairs) {
    std::vector<double> const pairs = column(rows_of("result square = s.u * s.u;", true), 0);
    double const truth = 1.0 / 3;
    Analysis analysis;
    analysis.antithetic = true;
    double const paired = coverage_of_mean(pairs, sample_size, truth, analysis).share();
    EXPECT_NEAR(paired, 0.95, 0.05);  // ten pairs, whose mean's law is skewed
    EXPECT_GT(coverage_of_mean(pairs, sample_size, truth, {}).share(), paired + 0.01);
}

}  // namespace
}  // namespace lockstep::replications::tests
