#include "harness/stats/summary.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace lockstep::stats {
namespace {

void check(std::span<double const> sample) {
    if (sample.empty()) {
        throw std::invalid_argument("an empty sample has no statistics");
    }
    if (!std::all_of(sample.begin(), sample.end(), [](double value) { return std::isfinite(value); })) {
        throw std::invalid_argument("a sample contains a value that is not finite");
    }
}

// `values` must be ascending and not empty.
double quantile_of_sorted(std::span<double const> values, double probability) {
    double const position = probability * static_cast<double>(values.size() - 1);
    auto const below = static_cast<std::size_t>(position);
    std::size_t const above = std::min(below + 1, values.size() - 1);
    return std::lerp(values[below], values[above], position - static_cast<double>(below));
}

double median_of_sorted(std::span<double const> values) {
    std::size_t const n = values.size();
    return n % 2 == 1 ? values[n / 2] : std::midpoint(values[n / 2 - 1], values[n / 2]);
}

}  // namespace

std::vector<double> sorted(std::span<double const> sample) {
    check(sample);
    std::vector<double> values(sample.begin(), sample.end());
    std::sort(values.begin(), values.end());
    return values;
}

double mean(std::span<double const> sample) {
    check(sample);
    auto const n = static_cast<double>(sample.size());
    double const rough = std::accumulate(sample.begin(), sample.end(), 0.0) / n;
    // Corrects the rounding error: the residuals of an exact mean sum to 0.
    double const residual = std::accumulate(sample.begin(), sample.end(), 0.0,
                                            [&](double sum, double value) { return sum + (value - rough); });
    return rough + residual / n;
}

double median(std::span<double const> sample) { return median_of_sorted(sorted(sample)); }

double quantile(std::span<double const> sample, double probability) {
    if (!(probability >= 0 && probability <= 1)) {
        throw std::invalid_argument("a probability must be in 0 .. 1");
    }
    return quantile_of_sorted(sorted(sample), probability);
}

std::optional<double> sigma(std::span<double const> sample) {
    double const middle = mean(sample);
    if (sample.size() < 2) {
        return std::nullopt;
    }
    double const squares = std::accumulate(sample.begin(), sample.end(), 0.0, [&](double sum, double value) {
        return sum + (value - middle) * (value - middle);
    });
    return std::sqrt(squares / static_cast<double>(sample.size() - 1));
}

double median_absolute_deviation(std::span<double const> sample) {
    double const middle = median(sample);
    std::vector<double> deviations(sample.begin(), sample.end());
    for (double& value : deviations) {
        value = std::abs(value - middle);
    }
    return median(deviations);
}

Summary summarize(std::span<double const> sample) {
    std::vector<double> const values = sorted(sample);
    Summary summary;
    summary.count = values.size();
    summary.minimum = values.front();
    summary.maximum = values.back();
    summary.median = median_of_sorted(values);
    summary.median_interval = median_interval(values);
    summary.mean = mean(values);
    summary.sigma = sigma(values);
    if (summary.sigma && summary.mean != 0) {
        summary.coefficient_of_variation = *summary.sigma / summary.mean;
    }
    summary.median_absolute_deviation = median_absolute_deviation(values);
    return summary;
}

}  // namespace lockstep::stats
