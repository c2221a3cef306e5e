#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string>
#include <vector>

#include "common/replications/measures.hpp"
#include "experiments/replications/command.hpp"
#include "experiments/replications/design.hpp"
#include "experiments/replications/experiment.hpp"
#include "experiments/replications/run_job.hpp"
#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/input_file.hpp"
#include "harness/cli/axis_options.hpp"
#include "harness/cli/command_line.hpp"
#include "harness/cli/json_output.hpp"
#include "harness/ranks/ranks.hpp"
#include "harness/simt/ceil_div.hpp"

namespace lockstep::replications {

namespace {

struct Request {
    std::string model;
    std::uint64_t replications = 30;
    cli::AxisTexts axes;
    unsigned block = 0;  // the value of the axis
    std::string scheme = "auto";
    std::string machine = "auto";
    std::uint64_t seed = 1;
    double precision = 0;
    std::uint64_t max_replications = 1u << 20;
    std::string design;
    std::string csv;
    bool json = false;
};

void define_options(cli::CommandLine& app, bench::Experiment const& experiment, Request& request) {
    app.add_argument("model", request.model, "pi, mm1 or walk");
    app.add_option("--replications", request.replications, "Independent runs of each point");
    std::vector<std::string> const names = {"draws", "clients", "steps", "utilisation", "chunks", "engine", "block"};
    cli::add_axes(app, cli::axes_named(experiment, names), request.axes);
    app.add_option("--scheme", request.scheme, "sequential, threads, warps, lanes:K, cooperative[:K] or auto");
    app.add_option("--machine", request.machine, "auto, cpu, emulator or cuda");
    app.add_option("--seed", request.seed, "The same seed gives the same numbers");
    app.add_option("--precision", request.precision,
                   "Continue until half the width of every 95% interval is at most this share of its mean");
    app.add_option("--max-replications", request.max_replications, "Limit for --precision, per point");
    app.add_option("--design", request.design,
                   "A CSV file: a header of parameters, then one line per point; - is standard input");
    app.add_option("--csv", request.csv, "Write every replication to this file");
    app.add_json(request.json, "Print the estimates as JSON");
    app.add_max_input();
}

// Throws bench::Error for options of other models, which would have no effect.
void check_parameters(cli::CommandLine const& app, Model model) {
    struct Parameter {
        char const* option;
        Model model;
    };
    for (Parameter const& parameter :
         {Parameter{"--draws", Model::pi}, Parameter{"--clients", Model::mm1}, Parameter{"--utilisation", Model::mm1},
          Parameter{"--steps", Model::walk}, Parameter{"--chunks", Model::walk}}) {
        if (parameter.model != model && app.given(parameter.option)) {
            throw bench::Error(std::string(parameter.option) + " has no effect for " + std::string(to_string(model)),
                               "it is a parameter of " + std::string(to_string(parameter.model)), "Leave it out.");
        }
    }
}

void check(Request const& request) {
    if (request.replications == 0)
        throw bench::Error("no replications to run", "--replications is 0", "Give at least 1.");
    if (request.precision < 0 || request.precision >= 1) {
        throw bench::Error("precision " + std::to_string(request.precision) + " is out of range",
                           "a share of the mean, above 0 and below 1", "Try 0.01.");
    }
    if (request.precision > 0 && request.max_replications < request.replications) {
        throw bench::Error("--max-replications " + std::to_string(request.max_replications) + " is too small",
                           "--replications is " + std::to_string(request.replications));
    }
    if (std::max(request.replications, request.precision > 0 ? request.max_replications : 0) > 1u << 28) {
        throw bench::Error("too many replications", "at most 2^28", "Split the job with --seed.");
    }
}

std::vector<DesignPoint> points_of(Request const& request, Model model, bench::Axes const& axes) {
    char const* const items = model == Model::pi ? "draws" : model == Model::mm1 ? "clients" : "steps";
    DesignPoint const point = {static_cast<std::uint64_t>(axes.integer(items)), axes.real("utilisation"),
                               static_cast<unsigned>(axes.integer("chunks"))};
    if (request.design.empty())
        return {point};
    cli::check_standard_input(request.design);
    return parse_design(bench::read_input(request.design, bench::Input::design), request.design, model, point);
}

// Results of each point, in the order of the replications.
using Results = std::vector<std::vector<bench::UnitResult>>;

// Runs a job on this process's device and returns its results point by point.
std::vector<bench::UnitResult> run_here(Request const& request, Scheme const& scheme, bench::Machine machine,
                                        Job const& job) {
    if (job.size() == 0)
        return {};
    std::unique_ptr<bench::Case> const made = make_case(scheme, machine, job, request.block);
    made->reset();
    made->run({});
    std::vector<std::uint64_t> units;
    for (std::uint64_t i = 0; i < job.size(); ++i)
        units.push_back(job.first_replication + i);
    return made->results(units);
}

// Runs replications `first` to `last` - 1 of every point, divided over the ranks, and appends them to the root's
// results.
bench::Machine extend(Results& results, Request const& request, Scheme const& scheme, Job job, std::uint64_t first,
                      std::uint64_t last) {
    bench::Machine machine = bench::Machine::cpu;
    std::vector<bench::UnitResult> found;
    ranks::together([&] {
        // The size of the largest part, so that all ranks choose the same machine.
        job.replications = simt::ceil_div(last - first, ranks::count());
        machine = choose_machine(request.machine, scheme, job);
        ranks::Part const part = ranks::part_of(first, last - first);
        job.first_replication = part.first;
        job.replications = part.units;
        found = run_here(request, scheme, machine, job);
    });
    found = ranks::gathered(std::move(found));
    if (!ranks::is_root())
        return machine;
    auto next = std::make_move_iterator(found.begin());
    for (unsigned rank = 0; rank < ranks::count(); ++rank) {
        auto const part = static_cast<std::ptrdiff_t>(ranks::part_of(first, last - first, rank).units);
        for (std::vector<bench::UnitResult>& point : results) {
            point.insert(point.end(), next, next + part);
            next += part;
        }
    }
    return machine;
}

using Estimates = std::vector<std::vector<Estimate>>;  // by point, then by measure

Estimates estimates_of(Model model, std::vector<DesignPoint> const& points, Results const& results) {
    Estimates all;
    for (std::size_t point_number = 0; point_number < points.size(); ++point_number) {
        std::vector<std::vector<double>> samples(measure_names(model).size());
        for (bench::UnitResult const& result : results[point_number]) {
            std::vector<double> const values = measures_of(model, points[point_number], result);
            for (std::size_t i = 0; i < values.size(); ++i)
                samples[i].push_back(values[i]);
        }
        std::vector<Estimate> estimates;
        for (std::vector<double> const& sample : samples)
            estimates.push_back(estimate(sample));
        all.push_back(std::move(estimates));
    }
    return all;
}

bool precise(Estimates const& estimates, double precision) {
    for (std::vector<Estimate> const& point : estimates) {
        for (Estimate const& one : point) {
            if (one.deviation && *one.deviation == 0)
                continue;
            std::optional<double> const reached = one.relative_precision();
            if (!reached || *reached > precision)
                return false;
        }
    }
    return true;
}

void print(Model model, std::vector<DesignPoint> const& points, Results const& results, Estimates const& estimates) {
    std::vector<std::string> const names = measure_names(model);
    std::printf("%-6s %-12s %12s  %-10s %14s %14s   %s\n", "point", "items", "replications", "measure", "mean",
                "deviation", "95% interval");
    for (std::size_t point_number = 0; point_number < points.size(); ++point_number) {
        for (std::size_t i = 0; i < names.size(); ++i) {
            Estimate const& one = estimates[point_number][i];
            std::printf("%-6zu %-12llu %12zu  %-10s %14.8g ", point_number,
                        static_cast<unsigned long long>(points[point_number].items), results[point_number].size(),
                        names[i].c_str(), one.mean);
            if (!one.interval || !one.deviation) {
                std::printf("%14s   %s\n", "-", "needs two replications");
                continue;
            }
            std::printf("%14.8g   %.8g .. %.8g\n", *one.deviation, one.interval->low, one.interval->high);
        }
    }
}

std::string json_of(Estimate const& one, std::string const& name) {
    return cli::json_object({{"measure", cli::json_text(name)},
                             {"mean", cli::json_number(one.mean)},
                             {"deviation", one.deviation ? cli::json_number(*one.deviation) : "null"},
                             {"low", one.interval ? cli::json_number(one.interval->low) : "null"},
                             {"high", one.interval ? cli::json_number(one.interval->high) : "null"}});
}

std::string document_of(Request const& request, std::string const& machine, std::vector<DesignPoint> const& points,
                        Results const& results, Estimates const& estimates) {
    std::vector<std::string> const names = measure_names(model_from_string(request.model));
    std::vector<std::string> rows;
    for (std::size_t i = 0; i < points.size(); ++i) {
        std::vector<std::string> measures;
        for (std::size_t measure = 0; measure < names.size(); ++measure)
            measures.push_back(json_of(estimates[i][measure], names[measure]));
        rows.push_back(cli::json_object({{"point", std::to_string(i)},
                                         {"items", std::to_string(points[i].items)},
                                         {"replications", std::to_string(results[i].size())},
                                         {"measures", cli::json_list(measures)}}));
    }
    bool const is_precise = request.precision <= 0 || precise(estimates, request.precision);
    return cli::json_document({{"model", cli::json_text(request.model)},
                               {"scheme", cli::json_text(request.scheme)},
                               {"machine", cli::json_text(machine)},
                               {"seed", std::to_string(request.seed)},
                               {"precision_reached", cli::json_flag(is_precise)},
                               {"points", cli::json_lines(rows)}});
}

}  // namespace

int replicate_command(int argc, char const* const* argv) {
    Request request;
    cli::CommandLine app("replicate", "Run independent replications of a stochastic model, and estimate its results");
    bench::Experiment const experiment = make_experiment();
    define_options(app, experiment, request);
    app.parse(argc, argv);
    check(request);
    Model const model = model_from_string(request.model);
    check_parameters(app, model);
    request.axes["model"] = request.model;
    bench::Axes const axes = cli::axes_from(experiment, request.axes);
    experiment.check(axes);
    request.block = static_cast<unsigned>(axes.integer("block"));
    Scheme const scheme = parse_scheme(request.scheme);
    std::vector<DesignPoint> const points = points_of(request, model, axes);
    Job job = {model, engine_from_string(axes.text("engine")), request.seed, 0, request.replications, {}};
    for (DesignPoint const& point : points) {
        job.points.push_back(make_point(model, point.items, point.utilisation, point.chunks));
    }

    Results results(points.size());
    std::uint64_t done = request.replications;
    bench::Machine machine = extend(results, request, scheme, job, 0, done);
    Estimates estimates;
    // Only the root has the results, so it decides for all ranks.
    auto const enough = [&] {
        bool yes = false;
        if (ranks::is_root()) {
            estimates = estimates_of(model, points, results);
            yes = precise(estimates, request.precision);
        }
        return ranks::sum(yes ? 1 : 0) != 0;
    };
    while (request.precision > 0 && !enough() && done < request.max_replications) {
        // Adds half as many again. The results do not depend on how a job is divided.
        std::uint64_t const last = std::min(request.max_replications, done + done / 2 + 1);
        machine = extend(results, request, scheme, job, done, last);
        done = last;
    }
    if (!ranks::is_root())
        return 0;
    estimates = estimates_of(model, points, results);

    if (!request.csv.empty()) {
        std::string text = csv_header(model);
        for (std::size_t point_number = 0; point_number < points.size(); ++point_number) {
            for (std::size_t i = 0; i < results[point_number].size(); ++i) {
                text += csv_line(model, points[point_number], point_number, i, results[point_number][i]);
            }
        }
        bench::write_file_atomically(request.csv, text);
    }
    if (request.json) {
        cli::print_json(document_of(request, std::string(simt::to_string(machine)), points, results, estimates));
        return 0;
    }
    print(model, points, results, estimates);
    if (request.precision > 0 && !precise(estimates, request.precision)) {
        std::printf("precision %g was not reached within %llu replications per point\n", request.precision,
                    static_cast<unsigned long long>(request.max_replications));
    }
    std::printf("scheme %s on machine %s\n", request.scheme.c_str(), std::string(simt::to_string(machine)).c_str());
    return 0;
}

}  // namespace lockstep::replications
