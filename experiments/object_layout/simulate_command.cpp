#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "common/object_layout/interaction.hpp"
#include "experiments/object_layout/command.hpp"
#include "experiments/object_layout/experiment.hpp"
#include "harness/bench/atomic_file.hpp"
#include "harness/bench/axes.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/host_memory.hpp"
#include "harness/cli/axis_options.hpp"
#include "harness/cli/command_line.hpp"
#include "harness/cli/distinct_files.hpp"
#include "harness/cli/json_output.hpp"
#include "harness/cli/variant_choice.hpp"

namespace lockstep::object_layout {

namespace {

// What the host holds of a vehicle, which takes more than a cell or a person. Measured with 4 million of each.
constexpr double bytes_per_element = 70;

struct SimulateRequest {
    std::string program;
    cli::AxisTexts axes = {{"elements", "3000"}, {"ticks", "100"}};
    std::string machine = "auto";
    std::uint64_t seed = 1;
    std::string csv;
    bool json = false;
};

// The axes of the command, which has fewer programs than the experiment.
std::vector<bench::Axis> axes_of(bench::Experiment const& experiment) {
    std::vector<bench::Axis> axes = cli::axes_named(experiment, {"elements", "ticks", "streets", "network"});
    axes[0].description = "cells (wator), people (infection) or vehicles (nasch)";
    axes[1].description = "ticks of the simulation";
    axes[2].description = "streets of the random network (infection, nasch)";
    axes[3].description = std::string(network_help) + " (infection, nasch)";
    return axes;
}

void parse_request(int argc, char const* const* argv, bench::Experiment const& experiment, SimulateRequest& request) {
    cli::CommandLine app("simulate", "Simulate objects that see one another, and count them in each tick");
    app.add_argument("PROGRAM", request.program,
                     "wator (fish and sharks), infection (of people on streets) or nasch (vehicles)");
    cli::add_axes(app, axes_of(experiment), request.axes);
    app.exclude("--network", "--streets");
    app.add_option("--machine", request.machine, "cpu, emulator, cuda or auto");
    app.add_option("--seed", request.seed, "The same seed gives the same counts");
    app.add_option("--csv", request.csv, "Write the counts before the first tick and after each tick to this file");
    app.add_json(request.json, "Print the summary as JSON");
    app.add_max_input();
    app.parse(argc, argv);
    cli::require_distinct_files({request.axes["network"]}, {request.csv});
    bench::require_known("program", request.program, {"wator", "infection", "nasch"});
    for (std::string const option : {"--network", "--streets"}) {
        if (request.program == "wator" && app.given(option))
            throw bench::Error(option + " has no effect on wator", "its sea has no streets",
                               "Leave it out, or simulate infection or nasch.");
    }
}

History history_of(bench::Variant const& variant, bench::Problem const& problem) {
    std::unique_ptr<bench::Case> const simulation = variant.make(problem);
    auto& counting = dynamic_cast<Counting&>(*simulation);
    counting.count_each_tick();
    simulation->reset();
    simulation->run({});
    return counting.history();
}

std::string counts_as_csv(std::vector<std::string> const& states, History const& history) {
    std::string text = "tick";
    for (std::string const& state : states)
        text += "," + state;
    text += "\n";
    for (std::size_t tick = 0; tick < history.size(); ++tick) {
        text += std::to_string(tick);
        for (std::uint64_t const count : history[tick])
            text += "," + std::to_string(count);
        text += "\n";
    }
    return text;
}

// The counts of a state over all ticks.
struct StateSummary {
    std::string state;
    std::uint64_t first, min, max, last;
};

std::vector<StateSummary> state_summaries(std::vector<std::string> const& states, History const& history) {
    std::vector<StateSummary> summaries;
    for (std::size_t state = 0; state < states.size(); ++state) {
        std::uint64_t const first = history.front()[state];
        StateSummary summary = {states[state], first, first, first, history.back()[state]};
        for (std::vector<std::uint64_t> const& counts : history) {
            summary.min = std::min(summary.min, counts[state]);
            summary.max = std::max(summary.max, counts[state]);
        }
        summaries.push_back(summary);
    }
    return summaries;
}

void print_summaries(std::vector<StateSummary> const& summaries, bench::Variant const& variant) {
    std::printf("%-14s %10s %10s %10s %10s\n", "state", "first", "min", "max", "last");
    for (StateSummary const& one : summaries) {
        std::printf("%-14s %10llu %10llu %10llu %10llu\n", one.state.c_str(),
                    static_cast<unsigned long long>(one.first), static_cast<unsigned long long>(one.min),
                    static_cast<unsigned long long>(one.max), static_cast<unsigned long long>(one.last));
    }
    std::printf("%s on machine %s\n", variant.name.c_str(), std::string(simt::to_string(variant.machine)).c_str());
}

std::string summary_document(std::vector<StateSummary> const& summaries, bench::Variant const& variant,
                             bench::Problem const& problem) {
    std::vector<std::string> states;
    for (StateSummary const& one : summaries) {
        states.push_back(cli::json_object({{"state", cli::json_text(one.state)},
                                           {"first", std::to_string(one.first)},
                                           {"min", std::to_string(one.min)},
                                           {"max", std::to_string(one.max)},
                                           {"last", std::to_string(one.last)}}));
    }
    return cli::json_document({{"variant", cli::json_text(variant.name)},
                               {"machine", cli::json_text(simt::to_string(variant.machine))},
                               {"seed", std::to_string(problem.seed)},
                               {"ticks", std::to_string(problem.axes.integer("ticks"))},
                               {"states", cli::json_lines(states)}});
}

}  // namespace

int simulate_command(int argc, char const* const* argv) {
    SimulateRequest request;
    bench::Experiment const experiment = make_experiment();
    parse_request(argc, argv, experiment, request);
    bench::Axes axes = cli::axes_from(experiment, request.axes);
    axes.set("program", request.program);
    experiment.check(axes);
    std::vector<bench::Machine> const machines =
        cli::machines_to_try(request.machine, {bench::Machine::cuda, bench::Machine::cpu, bench::Machine::emulator});
    bench::Variant const& variant =
        cli::choose_variant(experiment, axes, machines, {request.program + "_columns", request.program + "_objects"},
                            "cannot simulate " + request.program);
    bench::Problem const problem = {axes, request.seed, 0, experiment.units(axes)};
    bench::require_memory("cannot simulate " + std::to_string(problem.units) + " elements",
                          bytes_per_element * static_cast<double>(problem.units));
    History const history = history_of(variant, problem);
    std::vector<std::string> const& states = states_of(request.program);
    if (!request.csv.empty())
        bench::write_file_atomically(request.csv, counts_as_csv(states, history));
    std::vector<StateSummary> const summaries = state_summaries(states, history);
    if (request.json)
        cli::print_json(summary_document(summaries, variant, problem));
    else
        print_summaries(summaries, variant);
    return 0;
}

}  // namespace lockstep::object_layout
