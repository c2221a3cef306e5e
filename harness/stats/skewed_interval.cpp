#include "harness/stats/skewed_interval.hpp"

#include <algorithm>
#include <cmath>

#include "harness/stats/summary.hpp"

namespace lockstep::stats {

namespace {

// The skewness of fewer values says next to nothing about that of their distribution.
constexpr std::size_t min_values = 5;
constexpr std::size_t min_judged_values = 10;  // of 5, one normal sample in three is beyond the limit below
// Relative to the square root of the size. Found by simulation: where the mean skewness of samples of 30 or more is
// below this, skewed intervals of level 0.95 cover at least 0.945 (METHOD.md of replications names the distributions).
constexpr double max_skewness = 0.4;

}  // namespace

std::optional<double> skewness(std::span<double const> sample) {
    double const middle = mean(sample);
    if (sample.size() < 3)
        return std::nullopt;
    double const deviation = *sigma(sample);
    if (!(deviation > 0))
        return std::nullopt;
    double cubes = 0;
    for (double const value : sample) {
        double const scaled = (value - middle) / deviation;
        cubes += scaled * scaled * scaled;
    }
    auto const n = static_cast<double>(sample.size());
    return cubes * n / ((n - 1) * (n - 2));
}

std::optional<Interval> skewed_interval(std::span<double const> sample, double level) {
    std::optional<Interval> interval = student_interval(sample, level);
    std::optional<double> const skew = skewness(sample);
    if (!interval || !skew || sample.size() < min_values)
        return interval;
    auto const n = static_cast<double>(sample.size());
    double const a = *skew / (6 * std::sqrt(n));
    // Below this, the transformation is the identity as far as doubles can tell.
    if (std::abs(a) < 1e-7)
        return interval;
    double const middle = mean(sample);
    double const error = *sigma(sample) / std::sqrt(n);
    double const t = (interval->high - middle) / error;
    // The inverse of the transformation that removes the skewness of the studentised mean.
    auto const with_skewness = [&](double without) { return (std::cbrt(1 + 6 * a * (without - a)) - 1) / (2 * a); };
    interval->low = std::min(interval->low, middle - with_skewness(t) * error);
    interval->high = std::max(interval->high, middle - with_skewness(-t) * error);
    return interval;
}

bool is_too_skewed(std::span<double const> sample) {
    std::optional<double> const skew = skewness(sample);
    return skew && sample.size() >= min_judged_values &&
           std::abs(*skew) > max_skewness * std::sqrt(static_cast<double>(sample.size()));
}

}  // namespace lockstep::stats
