#pragma once
// Summary statistics of a sample of measurements: location, spread and a confidence interval of the median. All
// functions throw std::invalid_argument for an empty sample and for values that are not finite. A statistic that a
// single value does not have (sigma) is an empty optional.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "harness/stats/interval.hpp"

namespace lockstep::stats {

// The values in ascending order.
std::vector<double> sorted(std::span<double const> sample);

double mean(std::span<double const> sample);

// The middle value, or the mean of the two middle values.
double median(std::span<double const> sample);

// Interpolates linearly between order statistics, at 0-based position probability * (n - 1) (Hyndman and Fan's
// definition 7, NumPy's default). `probability` is in 0 .. 1.
double quantile(std::span<double const> sample, double probability);

// Standard deviation with n - 1 in the denominator. Empty for a single value.
std::optional<double> sigma(std::span<double const> sample);

// Median of the absolute deviations from the median, not scaled to a normal distribution's sigma.
double median_absolute_deviation(std::span<double const> sample);

struct Summary {
    std::size_t count = 0;
    double minimum = 0;
    double maximum = 0;
    double median = 0;
    std::optional<Interval> median_interval;  // at 0.95; empty for fewer than 6 values
    double mean = 0;
    std::optional<double> sigma;                     // empty for a single value
    std::optional<double> coefficient_of_variation;  // sigma / mean; empty without sigma or if the mean is 0
    double median_absolute_deviation = 0;
};

Summary summarize(std::span<double const> sample);

}  // namespace lockstep::stats
