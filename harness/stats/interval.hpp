#pragma once
// Two-sided confidence intervals for a median and other quantiles (order statistics), a mean (Student) and a
// probability (Clopper and Pearson). `level` is the requested coverage, 0 < level < 1. Invalid arguments throw
// std::invalid_argument.

#include <cstdint>
#include <optional>
#include <span>

namespace lockstep::stats {

struct Interval {
    double low = 0;
    double high = 0;
    double coverage = 0;  // at least the requested level; more if it is determined by discrete order statistics
    friend bool operator==(Interval const&, Interval const&) = default;
};

// An interval for the median of any continuous distribution: the k-th smallest and k-th largest value with the largest
// k for which 1 - 2 P(Binomial(n, 1/2) < k) >= level. Empty if even the full range does not reach the level (fewer than
// 6 values at 0.95). Throws for an empty sample and for values that are not finite.
std::optional<Interval> median_interval(std::span<double const> sample, double level = 0.95);

// The same for the quantile at `probability`, 0 < probability < 1: the l-th and u-th smallest values with the largest l
// for which P(Binomial(n, probability) < l) is at most half of 1 - level, and the smallest u for which
// P(Binomial(n, probability) >= u) is. Empty if there is no such l or u.
std::optional<Interval> quantile_interval(std::span<double const> sample, double probability, double level = 0.95);

// An interval for the mean of a normal distribution: mean -+ t sigma / sqrt(n). Empty for a single value. Throws for an
// empty sample and for values that are not finite.
std::optional<Interval> student_interval(std::span<double const> sample, double level = 0.95);

// An interval for the probability of success. It is exact, so its coverage is at least `level`. Without trials it is 0
// .. 1. Throws if there are more successes than trials.
Interval clopper_pearson_interval(std::uint64_t successes, std::uint64_t trials, double level = 0.95);

}  // namespace lockstep::stats
