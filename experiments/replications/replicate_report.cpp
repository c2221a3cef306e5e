#include "experiments/replications/replicate_report.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace lockstep::replications {

namespace {

// By measure, then by replication.
std::vector<std::vector<double>> values_of(Simulation const& simulation, std::size_t point,
                                           std::vector<bench::UnitResult> const& results) {
    std::vector<std::vector<double>> values(simulation.measure_names().size());
    for (bench::UnitResult const& result : results) {
        std::vector<double> const measures = simulation.measures(point, result);
        for (std::size_t i = 0; i < measures.size(); ++i)
            values[i].push_back(measures[i]);
    }
    return values;
}

// Of the intervals of one measure at one point.
void append_coverages(std::vector<MeasureCoverage>& all, Report const& report, std::size_t point, std::size_t measure,
                      std::vector<double> const& values) {
    std::string const name = report.simulation.measure_names()[measure];
    Estimate const& whole = report.estimates[point][measure];
    all.push_back({point, name, "mean", coverage_of_mean(values, report.coverage, whole.mean, report.analysis)});
    if (report.analysis.antithetic)
        return;
    for (Quantile const& quantile : whole.quantiles)
        all.push_back({point, name, fmt::format("quantile {}", quantile.probability),
                       coverage_of_quantile(values, report.coverage, quantile.probability, quantile.value,
                                            report.analysis.confidence)});
}

}  // namespace

Estimates estimates_of(Simulation const& simulation, Results const& results, Analysis const& analysis) {
    Estimates all;
    for (std::size_t point = 0; point < results.size(); ++point) {
        std::vector<Estimate> estimates;
        for (std::vector<double> const& values : values_of(simulation, point, results[point]))
            estimates.push_back(estimate(values, analysis));
        all.push_back(std::move(estimates));
    }
    return all;
}

Estimates differences_of(Simulation const& simulation, Results const& results, Analysis const& analysis) {
    Estimates all;
    std::vector<std::vector<double>> const base = values_of(simulation, 0, results[0]);
    for (std::size_t point = 1; point < results.size(); ++point) {
        std::vector<std::vector<double>> const values = values_of(simulation, point, results[point]);
        std::vector<Estimate> estimates;
        for (std::size_t i = 0; i < values.size(); ++i)
            estimates.push_back(estimate_difference(values[i], base[i], analysis));
        all.push_back(std::move(estimates));
    }
    return all;
}

bool are_precise(Estimates const& estimates, Analysis const& analysis) {
    return std::all_of(estimates.begin(), estimates.end(), [&](std::vector<Estimate> const& point) {
        return std::all_of(point.begin(), point.end(), [&](Estimate const& one) { return is_precise(one, analysis); });
    });
}

std::string what_was_reached(Report const& report) {
    Analysis of_means = report.analysis;
    of_means.absolute_precision = 0;
    bool const relative = !are_precise(report.estimates, of_means);
    std::vector<std::string> const names = report.simulation.measure_names();
    double worst = -1;
    std::string of;
    bool all_zero = false;
    for (std::size_t point = 0; point < report.estimates.size(); ++point) {
        for (std::size_t i = 0; i < names.size(); ++i) {
            Estimate const& one = report.estimates[point][i];
            std::optional<double> const found = relative ? one.relative_precision() : one.half_width();
            bool const is_exact = one.deviation && *one.deviation == 0 && (one.mean != 0 || !relative);
            double const reached = is_exact ? 0 : found.value_or(std::numeric_limits<double>::infinity());
            if (reached <= worst)
                continue;
            worst = reached;
            all_zero = one.mean == 0 && one.deviation && *one.deviation == 0;
            of = names[i] + (report.estimates.size() > 1 ? fmt::format(" at point {}", point) : "");
        }
    }
    std::string const reached = all_zero            ? fmt::format("all results are 0 for {}", of)
                                : std::isinf(worst) ? fmt::format("no interval, or one around 0, for {}", of)
                                                    : fmt::format("reached {:.3g} for {}", worst, of);
    return fmt::format("{}precision {} was not reached ({}, within {} replications per point) {}.",
                       relative ? "" : "absolute ",
                       relative ? report.analysis.relative_precision : report.analysis.absolute_precision, reached,
                       report.max_replications,
                       all_zero ? "Raise --max-replications, or use --absolute-precision" : "Raise --max-replications");
}

std::vector<MeasureCoverage> coverages_of(Report const& report) {
    std::vector<MeasureCoverage> all;
    std::vector<std::vector<double>> const base = values_of(report.simulation, 0, report.results[0]);
    for (std::size_t point = 0; point < report.results.size(); ++point) {
        std::vector<std::vector<double>> const values = values_of(report.simulation, point, report.results[point]);
        for (std::size_t i = 0; i < values.size(); ++i) {
            append_coverages(all, report, point, i, values[i]);
            if (point == 0 || report.differences.empty())
                continue;
            std::vector<double> differences;
            for (std::size_t replication = 0; replication < values[i].size(); ++replication)
                differences.push_back(values[i][replication] - base[i][replication]);
            all.push_back({point, report.simulation.measure_names()[i], "difference",
                           coverage_of_mean(differences, report.coverage, report.differences[point - 1][i].mean,
                                            report.analysis)});
        }
    }
    return all;
}

}  // namespace lockstep::replications
