#include "experiments/replications/replicate_output.hpp"

#include <algorithm>
#include <cstdio>

#include "harness/cli/json_output.hpp"

namespace lockstep::replications {

namespace {

// Of the column of measures.
int width_of(std::vector<std::string> const& names) {
    std::size_t width = 10;
    for (std::string const& name : names)
        width = std::max(width, name.size());
    return static_cast<int>(width);
}

void print_estimate(Estimate const& one, Analysis const& analysis) {
    if (!one.interval || !one.deviation) {
        std::printf("%14s   %s\n", "-", analysis.antithetic ? "needs two pairs" : "needs two replications");
        return;
    }
    char const* const remark = *one.deviation == 0 ? " (all results are equal)"
                               : one.too_skewed    ? " (the results look too skewed for so few replications)"
                                                   : "";
    std::printf("%14.8g   %.8g .. %.8g%s\n", *one.deviation, one.interval->low, one.interval->high, remark);
}

void print_quantiles(Report const& report) {
    std::vector<std::string> const names = report.simulation.measure_names();
    if (report.analysis.quantiles.empty())
        return;
    std::printf("%-6s %-*s %11s %14s   %.10g%% interval\n", "point", width_of(names), "measure", "probability",
                "quantile", 100 * report.analysis.confidence);
    for (std::size_t point = 0; point < report.estimates.size(); ++point) {
        for (std::size_t i = 0; i < names.size(); ++i) {
            for (Quantile const& quantile : report.estimates[point][i].quantiles) {
                std::printf("%-6zu %-*s %11g %14.8g   ", point, width_of(names), names[i].c_str(), quantile.probability,
                            quantile.value);
                if (quantile.interval)
                    std::printf("%.8g .. %.8g\n", quantile.interval->low, quantile.interval->high);
                else
                    std::printf("%s\n",
                                report.analysis.antithetic ? "none with antithetic pairs" : "needs more replications");
            }
        }
    }
}

void print_differences(Report const& report) {
    std::vector<std::string> const names = report.simulation.measure_names();
    for (std::size_t point = 1; point <= report.differences.size(); ++point) {
        for (std::size_t i = 0; i < names.size(); ++i) {
            Estimate const& one = report.differences[point - 1][i];
            std::printf("%zu - 0  %-12s %12s  %-*s %14.8g ", point, "", "", width_of(names), names[i].c_str(),
                        one.mean);
            print_estimate(one, report.analysis);
        }
    }
}

void print_coverages(std::vector<MeasureCoverage> const& coverages, Report const& report) {
    for (MeasureCoverage const& one : coverages) {
        if (one.coverage.samples == 0) {
            std::printf("point %zu, %s of %s: samples of %llu replications have no interval\n", one.point,
                        one.of.c_str(), one.measure.c_str(), static_cast<unsigned long long>(report.coverage));
            continue;
        }
        stats::Interval const interval = stats::clopper_pearson_interval(one.coverage.covering, one.coverage.samples);
        std::printf("point %zu, %s of %s: %.5f of %llu intervals from %llu replications cover (95%%: %.5f .. %.5f)\n",
                    one.point, one.of.c_str(), one.measure.c_str(), one.coverage.share(),
                    static_cast<unsigned long long>(one.coverage.samples),
                    static_cast<unsigned long long>(report.coverage), interval.low, interval.high);
    }
}

using cli::json_number;
using cli::json_text;

std::vector<cli::JsonMember> members_of(Estimate const& one, std::string const& name) {
    std::vector<cli::JsonMember> members = {{"measure", json_text(name)},
                                            {"mean", json_number(one.mean)},
                                            {"deviation", one.deviation ? json_number(*one.deviation) : "null"},
                                            {"low", one.interval ? json_number(one.interval->low) : "null"},
                                            {"high", one.interval ? json_number(one.interval->high) : "null"},
                                            {"too_skewed", cli::json_flag(one.too_skewed)}};
    if (one.quantiles.empty())
        return members;
    std::vector<std::string> quantiles;
    for (Quantile const& quantile : one.quantiles)
        quantiles.push_back(
            cli::json_object({{"probability", json_number(quantile.probability)},
                              {"value", json_number(quantile.value)},
                              {"low", quantile.interval ? json_number(quantile.interval->low) : "null"},
                              {"high", quantile.interval ? json_number(quantile.interval->high) : "null"}}));
    members.emplace_back("quantiles", cli::json_list(quantiles));
    return members;
}

std::string measures_json(std::vector<Estimate> const& estimates, std::vector<std::string> const& names) {
    std::vector<std::string> measures;
    for (std::size_t i = 0; i < names.size(); ++i)
        measures.push_back(cli::json_object(members_of(estimates[i], names[i])));
    return cli::json_list(measures);
}

}  // namespace

void print(Report const& report) {
    std::vector<std::string> const names = report.simulation.measure_names();
    std::printf("%-6s %-12s %12s  %-*s %14s %14s   %.10g%% interval\n", "point", "items", "replications",
                width_of(names), "measure", "mean", "deviation", 100 * report.analysis.confidence);
    for (std::size_t point = 0; point < report.results.size(); ++point) {
        for (std::size_t i = 0; i < names.size(); ++i) {
            Estimate const& one = report.estimates[point][i];
            std::printf("%-6zu %-12llu %12zu  %-*s %14.8g ", point,
                        static_cast<unsigned long long>(report.simulation.items(point)), report.results[point].size(),
                        width_of(names), names[i].c_str(), one.mean);
            print_estimate(one, report.analysis);
        }
    }
    print_differences(report);
    print_quantiles(report);
    if (report.coverage != 0)
        print_coverages(coverages_of(report), report);
    if (report.warm_up)
        std::printf("warm-up of %llu steps\n", static_cast<unsigned long long>(*report.warm_up));
    std::printf("scheme %s on machine %s\n", report.scheme.c_str(), report.machine.c_str());
}

std::string json_of(Report const& report) {
    std::vector<std::string> const names = report.simulation.measure_names();
    std::vector<std::string> rows;
    for (std::size_t i = 0; i < report.results.size(); ++i) {
        std::vector<cli::JsonMember> members = {{"point", std::to_string(i)},
                                                {"items", std::to_string(report.simulation.items(i))},
                                                {"replications", std::to_string(report.results[i].size())},
                                                {"measures", measures_json(report.estimates[i], names)}};
        if (i > 0 && !report.differences.empty())
            members.emplace_back("differences", measures_json(report.differences[i - 1], names));
        rows.push_back(cli::json_object(members));
    }
    std::vector<cli::JsonMember> members = {
        {"model", json_text(report.simulation.name())},
        {"scheme", json_text(report.scheme)},
        {"machine", json_text(report.machine)},
        {"seed", std::to_string(report.seed)},
        {"confidence", json_number(report.analysis.confidence)},
        {"precision_reached", cli::json_flag(are_precise(report.estimates, report.analysis))}};
    if (report.warm_up)
        members.emplace_back("warm_up", std::to_string(*report.warm_up));
    if (report.coverage != 0) {
        std::vector<std::string> coverages;
        for (MeasureCoverage const& one : coverages_of(report))
            coverages.push_back(cli::json_object({{"point", std::to_string(one.point)},
                                                  {"measure", json_text(one.measure)},
                                                  {"of", json_text(one.of)},
                                                  {"samples", std::to_string(one.coverage.samples)},
                                                  {"covering", std::to_string(one.coverage.covering)}}));
        members.emplace_back("coverage", cli::json_list(coverages));
    }
    members.emplace_back("points", cli::json_lines(rows));
    return cli::json_document(members);
}

std::string csv_of(Simulation const& simulation, Results const& results) {
    std::string text = simulation.csv_header();
    for (std::size_t point = 0; point < results.size(); ++point) {
        for (std::size_t i = 0; i < results[point].size(); ++i)
            text += simulation.csv_line(point, i, results[point][i]);
    }
    return text;
}

}  // namespace lockstep::replications
