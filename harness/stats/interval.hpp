#pragma once
// Confidence intervals: of a median (order statistics), of a mean (Student) and of a probability (Clopper and Pearson).
// All two-sided; `level` is the coverage asked for, 0 < level < 1. Bad arguments throw std::invalid_argument.

#include <cstdint>
#include <optional>
#include <span>

namespace lockstep::stats {

struct Interval {
    double low = 0;
    double high = 0;
    double coverage = 0;  // at least the level asked for; more where only whole order statistics can be chosen
    friend bool operator==(Interval const&, Interval const&) = default;
};

// Holds the median of any continuous distribution: the k-th smallest and k-th largest value with the largest k for
// which 1 - 2 P(Binomial(n, 1/2) < k) >= level. None where even the whole range does not reach the level: below 6
// values at 0.95. Throws for an empty sample and for values that are not finite.
std::optional<Interval> median_interval(std::span<double const> sample, double level = 0.95);

// Holds the mean of a normal distribution: mean -+ t sigma / sqrt(n). None for a single value. Throws for an empty
// sample and for values that are not finite.
std::optional<Interval> student_interval(std::span<double const> sample, double level = 0.95);

// Holds the probability of success; exact, so never too narrow. No trials give 0 .. 1. Throws where there are more
// successes than trials.
Interval clopper_pearson_interval(std::uint64_t successes, std::uint64_t trials, double level = 0.95);

}  // namespace lockstep::stats
