#include "common/replications/estimates.hpp"

#include <algorithm>
#include <cmath>

#include "harness/bench/error.hpp"
#include "harness/stats/skewed_interval.hpp"
#include "harness/stats/summary.hpp"

namespace lockstep::replications {

namespace {

// The samples that are independent: the values, or the means of antithetic pairs.
std::vector<double> samples_of(std::vector<double> const& values, bool antithetic) {
    if (!antithetic)
        return values;
    std::vector<double> means;
    for (std::size_t i = 0; i + 1 < values.size(); i += 2)
        means.push_back((values[i] + values[i + 1]) / 2);
    return means;
}

void require_samples(std::vector<double> const& values, Analysis const& analysis) {
    if (values.empty())
        throw bench::Error("no estimate", "there are no replications", "Run at least one.");
    if (analysis.antithetic && values.size() % 2 != 0)
        throw bench::Error("no estimate from " + std::to_string(values.size()) + " antithetic replications",
                           "they come in pairs", "Run an even number.");
    if (!(analysis.confidence > 0 && analysis.confidence < 1))
        throw bench::Error("invalid confidence " + std::to_string(analysis.confidence), "it must be between 0 and 1",
                           "Try 0.95.");
    for (double const probability : analysis.quantiles) {
        if (!(probability > 0 && probability < 1))
            throw bench::Error("invalid quantile " + std::to_string(probability), "it must be between 0 and 1",
                               "Try 0.5.");
    }
}

void require_finite(std::vector<double> const& values) {
    auto const found = std::find_if(values.begin(), values.end(), [](double value) { return !std::isfinite(value); });
    if (found != values.end())
        throw bench::Error("replication " + std::to_string(found - values.begin()) + " has no finite result",
                           "it is infinite or not a number", "Check the model for divisions by 0.");
}

}  // namespace

std::optional<double> Estimate::half_width() const {
    if (!interval)
        return std::nullopt;
    return (interval->high - interval->low) / 2;
}

std::optional<double> Estimate::relative_precision() const {
    if (!interval || mean == 0)
        return std::nullopt;
    return *half_width() / std::abs(mean);
}

Estimate estimate(std::vector<double> const& values, Analysis const& analysis) {
    require_samples(values, analysis);
    require_finite(values);
    std::vector<double> const samples = samples_of(values, analysis.antithetic);
    Estimate result;
    result.mean = stats::mean(samples);
    result.deviation = stats::sigma(samples);
    result.interval = analysis.mean_interval == MeanInterval::student
                          ? stats::student_interval(samples, analysis.confidence)
                          : stats::skewed_interval(samples, analysis.confidence);
    double const sum_of_all = result.mean + result.deviation.value_or(0) +
                              (result.interval ? result.interval->high - result.interval->low : 0);
    if (!std::isfinite(sum_of_all))
        throw bench::Error("no estimate", "the results of the replications are too large for a mean or a deviation",
                           "Use another unit.");
    result.too_skewed = stats::is_too_skewed(samples);
    for (double const probability : analysis.quantiles) {
        Quantile quantile = {probability, stats::quantile(values, probability), std::nullopt};
        if (!analysis.antithetic)
            quantile.interval = stats::quantile_interval(values, probability, analysis.confidence);
        result.quantiles.push_back(quantile);
    }
    return result;
}

Estimate estimate_difference(std::vector<double> const& values, std::vector<double> const& base,
                             Analysis const& analysis) {
    std::vector<double> differences;
    for (std::size_t i = 0; i < std::min(values.size(), base.size()); ++i)
        differences.push_back(values[i] - base[i]);
    Analysis of_means = analysis;
    of_means.quantiles.clear();
    return estimate(differences, of_means);
}

bool is_precise(Estimate const& estimate, Analysis const& analysis) {
    // Equal results other than 0 are exact. If all are 0, another value may be rare, and no share of 0 is a precision.
    if (estimate.deviation && *estimate.deviation == 0)
        return estimate.mean != 0 || analysis.relative_precision == 0;
    if (analysis.absolute_precision > 0) {
        std::optional<double> const half = estimate.half_width();
        if (!half || *half > analysis.absolute_precision)
            return false;
    }
    if (analysis.relative_precision > 0) {
        std::optional<double> const reached = estimate.relative_precision();
        if (!reached || *reached > analysis.relative_precision)
            return false;
    }
    return true;
}

}  // namespace lockstep::replications
