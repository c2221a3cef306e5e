#include "harness/stats/hall_interval.hpp"

#include <cmath>

#include "harness/stats/summary.hpp"

namespace lockstep::stats {

namespace {

// The skewness of fewer values says next to nothing.
constexpr std::size_t min_values = 5;

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

std::optional<Interval> hall_interval(std::span<double const> sample, double level) {
    std::optional<Interval> const student = student_interval(sample, level);
    std::optional<double> const skew = skewness(sample);
    if (!student || !skew || sample.size() < min_values)
        return student;
    auto const n = static_cast<double>(sample.size());
    double const a = *skew / (6 * std::sqrt(n));
    // Below this, the transformation is the identity as far as doubles can tell.
    if (std::abs(a) < 1e-7)
        return student;
    double const middle = mean(sample);
    double const error = *sigma(sample) / std::sqrt(n);
    double const t = (student->high - middle) / error;
    // The inverse of the transformation that removes the skewness of the studentised mean.
    auto const with_skewness = [&](double without) { return (std::cbrt(1 + 6 * a * (without - a)) - 1) / (2 * a); };
    return Interval{middle - with_skewness(t) * error, middle - with_skewness(-t) * error, level};
}

}  // namespace lockstep::stats
