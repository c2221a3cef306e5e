// Location and spread of samples with known answers: of odd and even size, and of 0, 1 and 2 values.

#include "harness/stats/summary.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace lockstep::stats {
namespace {

using Sample = std::vector<double>;

TEST(Median, OfOddAndEvenSizes) {
    EXPECT_EQ(median(Sample{3, 1, 2}), 2);
    EXPECT_EQ(median(Sample{4, 1, 3, 2}), 2.5);
    EXPECT_EQ(median(Sample{7}), 7);
    EXPECT_EQ(median(Sample{1, 2}), 1.5);
    EXPECT_EQ(median(Sample{5, 5, 5, 5, 100}), 5);
    EXPECT_EQ(median(Sample{-1e308, 1e308}), 0);
    double const huge = std::numeric_limits<double>::max();
    EXPECT_EQ(median(Sample{huge, huge}), huge) << "the sum of both values would overflow";
}

TEST(Quantile, InterpolatesAsNumpyDoes) {
    Sample const sample{10, 40, 20, 30};
    EXPECT_EQ(quantile(sample, 0), 10);
    EXPECT_EQ(quantile(sample, 1), 40);
    EXPECT_EQ(quantile(sample, 0.5), 25);
    EXPECT_DOUBLE_EQ(quantile(sample, 0.25), 17.5);
    EXPECT_DOUBLE_EQ(quantile(sample, 0.9), 37);
    EXPECT_EQ(quantile(Sample{3, 1, 2}, 0.5), 2);
    EXPECT_EQ(quantile(Sample{7}, 0.3), 7);
    EXPECT_THROW(quantile(sample, -0.1), std::invalid_argument);
    EXPECT_THROW(quantile(sample, 1.1), std::invalid_argument);
    EXPECT_THROW(quantile(sample, std::nan("")), std::invalid_argument);
}

TEST(Mean, AndSigma) {
    Sample const sample{2, 4, 4, 4, 5, 5, 7, 9};  // sum 40, squares of deviations 32
    EXPECT_DOUBLE_EQ(mean(sample), 5);
    EXPECT_DOUBLE_EQ(sigma(sample).value(), std::sqrt(32.0 / 7));
    EXPECT_DOUBLE_EQ(sigma(Sample{1, 3}).value(), std::sqrt(2.0));
    EXPECT_EQ(sigma(Sample{5, 5, 5}).value(), 0);
    // A large offset must not cancel the spread.
    EXPECT_DOUBLE_EQ(sigma(Sample{1e9 + 1, 1e9 + 2, 1e9 + 3}).value(), 1);
}

TEST(MedianAbsoluteDeviation, IsNotMovedByAnOutlier) {
    EXPECT_EQ(median_absolute_deviation(Sample{1, 1, 2, 2, 4, 6, 9}), 1);
    EXPECT_EQ(median_absolute_deviation(Sample{1, 2, 3, 1000}), 1);
    EXPECT_EQ(median_absolute_deviation(Sample{7}), 0);
}

TEST(Samples, EmptySamplesAndValuesThatAreNotFiniteAreErrors) {
    double const infinity = std::numeric_limits<double>::infinity();
    for (Sample const& bad : {Sample{}, Sample{1, std::nan(""), 2}, Sample{infinity}}) {
        EXPECT_THROW(mean(bad), std::invalid_argument);
        EXPECT_THROW(median(bad), std::invalid_argument);
        EXPECT_THROW(quantile(bad, 0.5), std::invalid_argument);
        EXPECT_THROW(sigma(bad), std::invalid_argument);
        EXPECT_THROW(median_absolute_deviation(bad), std::invalid_argument);
        EXPECT_THROW(median_interval(bad), std::invalid_argument);
        EXPECT_THROW(student_interval(bad), std::invalid_argument);
        EXPECT_THROW(summarize(bad), std::invalid_argument);
    }
}

TEST(Summary, OfOneValueHasNoSpread) {
    Summary const summary = summarize(Sample{7});
    EXPECT_EQ(summary.count, 1u);
    EXPECT_EQ(summary.minimum, 7);
    EXPECT_EQ(summary.maximum, 7);
    EXPECT_EQ(summary.median, 7);
    EXPECT_EQ(summary.mean, 7);
    EXPECT_EQ(summary.median_absolute_deviation, 0);
    EXPECT_FALSE(summary.sigma);
    EXPECT_FALSE(summary.coefficient_of_variation);
    EXPECT_FALSE(summary.median_interval);
}

TEST(Summary, OfTwoValuesHasASigmaAndNoInterval) {
    Summary const summary = summarize(Sample{3, 1});
    EXPECT_EQ(summary.count, 2u);
    EXPECT_EQ(summary.median, 2);
    EXPECT_DOUBLE_EQ(summary.sigma.value(), std::sqrt(2.0));
    EXPECT_DOUBLE_EQ(summary.coefficient_of_variation.value(), std::sqrt(0.5));
    EXPECT_EQ(summary.median_absolute_deviation, 1);
    EXPECT_FALSE(summary.median_interval);
}

TEST(Summary, MatchesTheFunctions) {
    Sample const sample{9, 2, 4, 4, 7, 5, 5, 4};
    Summary const summary = summarize(sample);
    EXPECT_EQ(summary.count, 8u);
    EXPECT_EQ(summary.minimum, 2);
    EXPECT_EQ(summary.maximum, 9);
    EXPECT_EQ(summary.median, median(sample));
    EXPECT_EQ(summary.median_interval, median_interval(sample));
    EXPECT_DOUBLE_EQ(summary.mean, 5);
    EXPECT_DOUBLE_EQ(summary.sigma.value(), std::sqrt(32.0 / 7));
    EXPECT_DOUBLE_EQ(summary.coefficient_of_variation.value(), std::sqrt(32.0 / 7) / 5);
    EXPECT_EQ(summary.median_absolute_deviation, median_absolute_deviation(sample));
    EXPECT_FALSE(summarize(Sample{-1, 1}).coefficient_of_variation) << "undefined if the mean is 0";
}

}  // namespace
}  // namespace lockstep::stats
