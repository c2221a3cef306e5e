// Intervals: the order statistics that bound the median, textbook values for the other intervals, and actual coverage.

#include "harness/stats/interval.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "harness/random/bounded.hpp"
#include "harness/random/philox.hpp"
#include "harness/random/uniform.hpp"
#include "harness/stats/skewed_interval.hpp"
#include "harness/stats/summary.hpp"

namespace lockstep::stats {
namespace {

using Engine = random::cpu::Philox4x32<10>;

// Returns n, n-1, ..., 1, whose k-th smallest value is k.
std::vector<double> first_numbers(std::size_t n) {
    std::vector<double> values(n);
    std::iota(values.rbegin(), values.rend(), 1.0);
    return values;
}

// At 1/2 it is the median's interval, and the interval at 1 - p mirrors that at p.
TEST(QuantileInterval, UsesTheBinomialOrderStatistics) {
    for (std::size_t const n : {6u, 7u, 20u, 101u}) {
        std::vector<double> const values = first_numbers(n);
        EXPECT_EQ(quantile_interval(values, 0.5)->low, median_interval(values)->low);
        EXPECT_EQ(quantile_interval(values, 0.5)->high, median_interval(values)->high);
        EXPECT_NEAR(quantile_interval(values, 0.5)->coverage, median_interval(values)->coverage, 1e-12);
    }
    std::vector<double> const hundred = first_numbers(100);
    Interval const upper = *quantile_interval(hundred, 0.9);
    Interval const lower = *quantile_interval(hundred, 0.1);
    EXPECT_EQ(upper.low + lower.high, 101);
    EXPECT_EQ(upper.high + lower.low, 101);
    EXPECT_GE(upper.coverage, 0.95);
    EXPECT_NEAR(upper.coverage, lower.coverage, 1e-12);
    EXPECT_FALSE(quantile_interval(first_numbers(5), 0.5));
    EXPECT_FALSE(quantile_interval(first_numbers(30), 0.99));
    EXPECT_THROW(static_cast<void>(quantile_interval(hundred, 1)), std::invalid_argument);
}

TEST(MedianInterval, UsesTheTabulatedOrderStatistics) {
    struct Row {
        std::size_t n;
        double low;
        double high;
        double coverage;
    };
    // Coverage is 1 - 2 (C(n,0) + ... + C(n,low-1)) / 2^n, computed with integers.
    for (auto const& [n, low, high, coverage] : std::vector<Row>{{6, 1, 6, 1 - 2.0 / 64},
                                                                 {7, 1, 7, 1 - 2.0 / 128},
                                                                 {8, 1, 8, 1 - 2.0 / 256},
                                                                 {9, 2, 8, 1 - 20.0 / 512},
                                                                 {10, 2, 9, 1 - 22.0 / 1024},
                                                                 {20, 6, 15, 1 - 2 * 21700.0 / 1048576},
                                                                 {31, 10, 22, 0.9706},
                                                                 {32, 10, 23, 0.9799},
                                                                 {33, 11, 23, 0.9649},
                                                                 {100, 40, 61, 0.9648}}) {
        auto const interval = median_interval(first_numbers(n));
        ASSERT_TRUE(interval) << n;
        EXPECT_EQ(interval->low, low) << n;
        EXPECT_EQ(interval->high, high) << n;
        EXPECT_NEAR(interval->coverage, coverage, 5e-5) << n;
        EXPECT_GE(interval->coverage, 0.95);
    }
}

TEST(MedianInterval, IsTheNarrowestThatReachesTheLevel) {
    for (std::size_t n = 1; n <= 300; ++n) {
        for (double const level : {0.5, 0.9, 0.95, 0.999}) {
            // Sums P(Binomial(n, 1/2) < k).
            double term = std::pow(0.5, static_cast<double>(n));
            double below = term;
            std::size_t k = 0;
            while (below <= (1 - level) / 2 * (1 + 1e-12)) {
                ++k;
                term *= static_cast<double>(n - k + 1) / static_cast<double>(k);
                below += term;
            }
            auto const interval = median_interval(first_numbers(n), level);
            ASSERT_EQ(interval.has_value(), k > 0) << n << " values at " << level;
            if (interval) {
                ASSERT_EQ(interval->low, static_cast<double>(k)) << n << " values at " << level;
            }
        }
    }
}

TEST(MedianInterval, DoesNotExistForFewValues) {
    for (std::size_t n = 1; n < 6; ++n) {
        EXPECT_FALSE(median_interval(first_numbers(n))) << n;
    }
    EXPECT_TRUE(median_interval(first_numbers(5), 0.9));
    EXPECT_THROW(median_interval(std::vector<double>{}), std::invalid_argument);
    for (double const level : {0.0, 1.0, -1.0, std::nan("")}) {
        EXPECT_THROW(median_interval(first_numbers(9), level), std::invalid_argument);
    }
}

TEST(MedianInterval, HasTheStatedCoverage) {
    auto engine = Engine::stream(1, 0, 0);
    for (std::size_t const n : {9u, 10u}) {
        int held = 0;
        int half_width_held = 0;  // negative control: the check must reject an interval half as wide
        double coverage = 0;
        for (int trial = 0; trial < 20000; ++trial) {
            std::vector<double> sample(n);
            for (double& value : sample) {
                value = std::exp(random::cpu::uniform_double(engine));
            }
            auto const interval = median_interval(sample);
            double const truth = std::exp(0.5);
            double const quarter = (interval->high - interval->low) / 4;
            held += interval->low <= truth && truth <= interval->high;
            half_width_held += interval->low + quarter <= truth && truth <= interval->high - quarter;
            coverage = interval->coverage;
        }
        EXPECT_NEAR(held / 20000.0, coverage, 5 * std::sqrt(coverage * (1 - coverage) / 20000)) << n;
        EXPECT_LT(half_width_held / 20000.0, coverage - 0.05);
    }
}

TEST(StudentInterval, MatchesTabulatedValues) {
    // t(0.975) is 2.7764 for 4 degrees of freedom and 12.7062 for 1.
    auto const five = student_interval(std::vector<double>{1, 2, 3, 4, 5});
    ASSERT_TRUE(five);
    double const half = 2.776445 * std::sqrt(2.5) / std::sqrt(5.0);
    EXPECT_NEAR(five->low, 3 - half, 1e-6);
    EXPECT_NEAR(five->high, 3 + half, 1e-6);
    auto const two = student_interval(std::vector<double>{1, 3});
    ASSERT_TRUE(two);
    EXPECT_NEAR(two->high - 2, 12.7062, 1e-4);
    EXPECT_FALSE(student_interval(std::vector<double>{1}));
    EXPECT_THROW(student_interval(std::vector<double>{}), std::invalid_argument);
}

TEST(SkewedInterval, ReachesFurtherTowardsTheLongTail) {
    std::vector<double> const skewed = {1, 1, 2, 2, 3, 3, 4, 20};
    // Skewness by hand: mean 4.5, sum of squares 282, sum of cubes 3600.
    double const deviation = std::sqrt(282.0 / 7);
    double const skew = 3600 * 8.0 / (7 * 6) / (deviation * deviation * deviation);
    EXPECT_NEAR(*skewness(skewed), skew, 1e-12);
    Interval const student = *student_interval(skewed);
    Interval const interval = *skewed_interval(skewed);
    EXPECT_EQ(interval.low, student.low);
    EXPECT_GT(interval.high, student.high);
    // Hall's transformation of the end of the long tail is Student's quantile.
    double const a = skew / (6 * std::sqrt(8.0));
    double const error = deviation / std::sqrt(8.0);
    double const t = (4.5 - interval.high) / error;
    EXPECT_NEAR(t + 2 * a * t * t + 4.0 / 3 * a * a * t * t * t + a, (student.low - 4.5) / error, 1e-9);
    // Mirrored values have the mirrored interval.
    std::vector<double> mirrored = skewed;
    for (double& value : mirrored)
        value = -value;
    EXPECT_NEAR(skewed_interval(mirrored)->low, -interval.high, 1e-12);
    EXPECT_NEAR(skewed_interval(mirrored)->high, -interval.low, 1e-12);
}

TEST(SkewedInterval, IsStudentsWithoutSkewness) {
    for (std::vector<double> const& sample : {std::vector<double>{1, 2, 3, 4, 5}, std::vector<double>{1, 2, 3, 9},
                                              std::vector<double>{1, 3}, std::vector<double>{2, 2, 2, 2, 2}})
        EXPECT_EQ(skewed_interval(sample), student_interval(sample));
    EXPECT_FALSE(skewed_interval(std::vector<double>{1}));
    EXPECT_FALSE(skewness(std::vector<double>{1, 3}));
    EXPECT_FALSE(skewness(std::vector<double>{2, 2, 2}));
    EXPECT_THROW(skewed_interval(std::vector<double>{}), std::invalid_argument);
}

// One value unlike all others gives the largest skewness, the square root of the size.
TEST(SkewedInterval, MarksSamplesThatAreTooSkewed) {
    std::vector<double> outlier(25, 0.0);
    outlier.back() = 7;
    EXPECT_NEAR(*skewness(outlier), 5, 1e-12);
    EXPECT_TRUE(is_too_skewed(outlier));
    EXPECT_FALSE(is_too_skewed(first_numbers(25)));
    EXPECT_FALSE(is_too_skewed(std::vector<double>{1, 3}));
    EXPECT_FALSE(is_too_skewed(std::vector<double>{2, 2, 2}));
    // Where a share p of n values is -1 and the rest is 0: (2p - 1) / sqrt(p (1 - p)) times sqrt(n (n - 1)) / (n - 2).
    auto const skewness_and_mark = [](std::size_t count) {
        std::vector<double> sample(25, 0.0);
        std::fill_n(sample.begin(), count, -1.0);
        return std::pair(-*skewness(sample) / 5, is_too_skewed(sample));
    };
    EXPECT_NEAR(skewness_and_mark(4).first, 0.39508, 1e-5);
    EXPECT_FALSE(skewness_and_mark(4).second);
    EXPECT_NEAR(skewness_and_mark(3).first, 0.49815, 1e-5);
    EXPECT_TRUE(skewness_and_mark(3).second);
}

// Shares of 10000 intervals of level 0.95 that hold the mean. Near the level, their standard deviation is 0.002.
struct Coverages {
    double skewed = 0, student = 0;
    double marked = 0, unmarked = 0;  // of skewed intervals whose samples are and are not too skewed
};

Coverages coverages(std::size_t const size, double const truth, std::function<double()> const& draw) {
    constexpr int trials = 10000;
    auto const holds = [&](Interval const& interval) { return interval.low <= truth && truth <= interval.high; };
    int skewed = 0, student = 0, marks = 0, marked = 0;
    for (int trial = 0; trial < trials; ++trial) {
        std::vector<double> sample(size);
        std::generate(sample.begin(), sample.end(), draw);
        bool const is_held = holds(*skewed_interval(sample));
        bool const is_marked = is_too_skewed(sample);
        skewed += is_held;
        student += holds(*student_interval(sample));
        marks += is_marked;
        marked += is_held && is_marked;
    }
    return {skewed / double{trials}, student / double{trials}, marked / static_cast<double>(marks),
            (skewed - marked) / static_cast<double>(trials - marks)};
}

// Student's intervals of exponential variates cover less often, and Hall's own intervals of 30 variates with long tails
// on both sides cover 0.933.
TEST(SkewedInterval, CoversAtItsLevelOrSlightlyMore) {
    auto engine = Engine::stream(1, 0, 0);
    auto const uniform = [&] { return random::cpu::uniform_double(engine); };
    auto const exponential = [&] { return -std::log(1 - uniform()); };
    EXPECT_NEAR(coverages(10, 0.5, uniform).skewed, 0.974, 0.006);
    EXPECT_NEAR(coverages(30, 0.5, uniform).skewed, 0.962, 0.006);
    EXPECT_NEAR(coverages(10, 1, exponential).skewed, 0.950, 0.006);
    Coverages const one_sided = coverages(30, 1, exponential);
    EXPECT_NEAR(one_sided.skewed, 0.960, 0.006);
    EXPECT_LT(one_sided.student, 0.935);
    EXPECT_NEAR(coverages(30, 0, [&] { return exponential() - exponential(); }).skewed, 0.954, 0.006);
}

// Of lognormal variates. About half of the samples are marked, and these are the ones whose intervals cover.
TEST(SkewedInterval, IsNotAssuredWithoutTheMark) {
    auto engine = Engine::stream(2, 0, 0);
    auto const uniform = [&] { return random::cpu::uniform_double(engine); };
    auto const lognormal = [&] {
        double const radius = std::sqrt(-2 * std::log(1 - uniform()));
        return std::exp(radius * std::cos(2 * std::numbers::pi * uniform()));
    };
    Coverages const found = coverages(30, std::exp(0.5), lognormal);
    EXPECT_NEAR(found.skewed, 0.940, 0.008);
    EXPECT_NEAR(found.marked, 0.997, 0.003);
    EXPECT_NEAR(found.unmarked, 0.890, 0.012);
    EXPECT_LT(found.student, 0.9);
}

TEST(ClopperPearson, MatchesKnownValues) {
    EXPECT_EQ(clopper_pearson_interval(0, 0), (Interval{0, 1, 0.95}));
    // 0 of n: the upper bound solves (1 - p)^n = 0.025.
    Interval const none = clopper_pearson_interval(0, 10);
    EXPECT_EQ(none.low, 0);
    EXPECT_NEAR(none.high, 1 - std::pow(0.025, 0.1), 1e-12);
    Interval const all = clopper_pearson_interval(10, 10);
    EXPECT_NEAR(all.low, std::pow(0.025, 0.1), 1e-12);
    EXPECT_EQ(all.high, 1);
    Interval const five = clopper_pearson_interval(5, 10);
    EXPECT_NEAR(five.low, 0.1871, 1e-4);
    EXPECT_NEAR(five.high, 0.8129, 1e-4);
    EXPECT_THROW(clopper_pearson_interval(2, 1), std::invalid_argument);
}

}  // namespace
}  // namespace lockstep::stats
