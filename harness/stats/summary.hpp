#pragma once
// What is said of a sample of measurements: its middle, its spread and the interval of its median.
// Functions throw std::invalid_argument for an empty sample and for values that are not finite; what a single value
// does not have (sigma) is an empty optional.

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

// Linear interpolation between order statistics: value number probability * (n - 1), counted from 0 (Hyndman and Fan's
// definition 7, NumPy's default). probability is 0 .. 1.
double quantile(std::span<double const> sample, double probability);

// Standard deviation with n - 1 in the denominator. None for a single value.
std::optional<double> sigma(std::span<double const> sample);

// Median of the absolute deviations from the median, not scaled to a normal distribution's sigma.
double median_absolute_deviation(std::span<double const> sample);

struct Summary {
    std::size_t count = 0;
    double minimum = 0;
    double maximum = 0;
    double median = 0;
    std::optional<Interval> median_interval;  // at 0.95; none below 6 values
    double mean = 0;
    std::optional<double> sigma;                     // none for a single value
    std::optional<double> coefficient_of_variation;  // sigma / mean; none without sigma or where the mean is 0
    double median_absolute_deviation = 0;
};

Summary summarize(std::span<double const> sample);

}  // namespace lockstep::stats
