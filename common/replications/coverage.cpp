#include "common/replications/coverage.hpp"

namespace lockstep::replications {

namespace {

// `interval` returns the interval of a sample.
template <class Interval>
Coverage coverage(std::vector<double> const& values, std::size_t count, double truth, Interval const& interval) {
    Coverage result;
    for (std::size_t first = 0; first + count <= values.size(); first += count) {
        auto const begin = values.begin() + static_cast<std::ptrdiff_t>(first);
        std::optional<stats::Interval> const one =
            interval(std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(count)));
        if (!one)
            continue;
        ++result.samples;
        if (one->low <= truth && truth <= one->high)
            ++result.covering;
    }
    return result;
}

}  // namespace

Coverage coverage_of_mean(std::vector<double> const& values, std::size_t count, double truth,
                          Analysis const& analysis) {
    Analysis of_mean = analysis;
    of_mean.quantiles.clear();
    return coverage(values, count, truth,
                    [&](std::vector<double> const& sample) { return estimate(sample, of_mean).interval; });
}

Coverage coverage_of_quantile(std::vector<double> const& values, std::size_t count, double probability, double truth,
                              double confidence) {
    return coverage(values, count, truth, [&](std::vector<double> const& sample) {
        return stats::quantile_interval(sample, probability, confidence);
    });
}

}  // namespace lockstep::replications
