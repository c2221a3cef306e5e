#include "harness/stats/warm_up.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace lockstep::stats {

std::optional<std::size_t> mser5(std::span<double const> series) {
    constexpr std::size_t batch = 5;
    if (!std::all_of(series.begin(), series.end(), [](double value) { return std::isfinite(value); }))
        throw std::invalid_argument("a series has finite values");
    std::vector<double> means(series.size() / batch);
    for (std::size_t i = 0; i < means.size(); ++i) {
        for (std::size_t j = 0; j < batch; ++j)
            means[i] += series[batch * i + j] / batch;
    }
    if (means.size() < 4)
        return std::nullopt;
    // From the end, with Welford's updates: `count` values have this mean and sum of squares about it.
    double mean = 0;
    double squares = 0;
    std::size_t best = 0;
    double best_error = 0;
    std::size_t const last = means.size() / 2;
    for (std::size_t first = means.size(); first-- > 0;) {
        auto const count = static_cast<double>(means.size() - first);
        double const difference = means[first] - mean;
        mean += difference / count;
        squares += difference * (means[first] - mean);
        double const error = squares / (count * count);
        if (first <= last && (first == last || error <= best_error)) {
            best = first;
            best_error = error;
        }
    }
    if (best == last && best_error > 0)
        return std::nullopt;
    return batch * best;
}

}  // namespace lockstep::stats
