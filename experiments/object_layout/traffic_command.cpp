#include "experiments/object_layout/command.hpp"

#include <cstdio>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "common/object_layout/agent_class.hpp"
#include "common/object_layout/traffic.hpp"
#include "experiments/object_layout/experiment.hpp"
#include "experiments/object_layout/picture.hpp"
#include "harness/bench/atomic_file.hpp"
#include "harness/bench/axes.hpp"
#include "harness/bench/error.hpp"
#include "harness/cli/command_line.hpp"
#include "harness/cli/variant_choice.hpp"

namespace lockstep::object_layout {

namespace {

struct Request {
    std::string streets = "500";
    std::string cars = "4096";
    std::string pedestrians = "16384";
    std::string ticks = "1000";
    std::string types = "2";
    std::string weather = "good";
    std::string mode = "live";
    std::string layout = "soa";
    std::string order = "sorted";
    std::string dispatch = "auto";
    std::string machine = "auto";
    std::string network;
    std::uint64_t seed = 1;
    std::string csv;
    std::string png;
};

void define_options(cli::CommandLine& app, Request& request) {
    app.add_option("--streets", request.streets, "Streets of the random network");
    app.add_option("--network", request.network, "A file of streets: `from to length max_velocity`, one a line");
    app.exclude("--network", "--streets");
    app.add_option("--cars", request.cars, "Cars");
    app.add_option("--pedestrians", request.pedestrians, "Pedestrians");
    app.add_option("--ticks", request.ticks, "Ticks");
    app.add_option("--types", request.types, "Classes of agents, 1 to 32: cars and pedestrians of several kinds");
    app.add_option("--weather", request.weather, "good, or bad: cars are slower");
    app.add_option("--mode", request.mode, "live, or faithful to the paper's program: a static random table");
    app.add_option("--layout", request.layout, "soa, aos, aos_padded or aosoa");
    app.add_option("--order", request.order, "shuffled, jobs (shuffled, with a job array) or sorted");
    app.add_option("--dispatch", request.dispatch,
                   "switch, virtual, table, per_type, inlined; registers: ours; on the CPU objects or columns; auto");
    app.add_option("--machine", request.machine, "cpu, emulator, cuda or auto");
    app.add_option("--seed", request.seed, "The same seed gives the same final state");
    app.add_option("--csv", request.csv, "Write every agent's final state to this file");
    app.add_option("--png", request.png, "Draw the network with its agents into this file");
}

bench::Axes axes_of(Request const& request, bench::Experiment const& experiment) {
    bench::Axes axes;
    for (bench::Axis const& axis : experiment.axes)
        axes.set(axis.name, axis.default_value);
    axes.set("streets", request.streets);
    axes.set("network", request.network.empty() ? "random" : request.network);
    axes.set("cars", request.cars);
    axes.set("pedestrians", request.pedestrians);
    axes.set("ticks", request.ticks);
    axes.set("types", request.types);
    axes.set("weather", request.weather);
    axes.set("mode", request.mode);
    axes.set("layout", request.layout);
    axes.set("order", request.order);
    for (bench::Axis const& axis : experiment.axes)
        bench::check_axis_value(axis, axes.text(axis.name));
    experiment.check(axes);
    return axes;
}

// The named dispatch, or the fastest that takes the layout and order.
bench::Variant const& choose(bench::Experiment const& experiment, Request const& request, bench::Axes const& axes) {
    std::vector<std::string> const known = {"registers", "columns", "switch",  "inlined",
                                            "per_type",  "table",   "virtual", "objects"};
    std::vector<std::string> wanted = known;
    if (request.dispatch != "auto") {
        bench::require_known("dispatch", request.dispatch, known);
        wanted = {request.dispatch};
    }
    std::vector<bench::Machine> const machines =
        cli::machines_to_try(request.machine, {bench::Machine::cuda, bench::Machine::cpu, bench::Machine::emulator});
    return cli::choose_variant(experiment, axes, machines, wanted, "cannot run with dispatch " + request.dispatch);
}

float float_of(std::uint32_t bits) {
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

std::string street_name(Network const& network, unsigned street) {
    if (network.from.empty())
        return std::to_string(street);
    return network.junctions[network.from[street]] + "," + network.junctions[network.to[street]];
}

std::string csv_of(Traffic const& traffic, std::vector<bench::UnitResult> const& state) {
    Network const& network = *traffic.network;
    std::string text = network.from.empty() ? "agent,class,street,progress\n" : "agent,class,from,to,progress\n";
    for (std::size_t agent = 0; agent < state.size(); ++agent) {
        char progress[32];
        std::snprintf(progress, sizeof progress, "%.9g", static_cast<double>(float_of(state[agent][0])));
        unsigned const type = traffic.type_of(agent);
        text += std::to_string(agent) + "," + (is_car(type) ? "car" : "pedestrian") +
                (type < 2 ? "" : std::to_string(kind_of(type))) + "," + street_name(network, state[agent][1]) + "," +
                progress + "\n";
    }
    return text;
}

void print(Traffic const& traffic, std::vector<bench::UnitResult> const& state) {
    std::printf("%-12s %10s %10s %16s\n", "class", "agents", "streets", "mean progress");
    for (unsigned parity = 0; parity < 2; ++parity) {
        std::set<unsigned> streets;
        double progress = 0;
        std::size_t count = 0;
        for (std::size_t agent = 0; agent < state.size(); ++agent) {
            if (traffic.type_of(agent) % 2 != parity)
                continue;
            streets.insert(state[agent][1]);
            progress += static_cast<double>(float_of(state[agent][0]));
            ++count;
        }
        std::printf("%-12s %10zu %10zu %16.6f\n", parity == 0 ? "cars" : "pedestrians", count, streets.size(),
                    count == 0 ? 0 : progress / static_cast<double>(count));
    }
}

}  // namespace

int traffic_command(int argc, char const* const* argv) {
    Request request;
    cli::CommandLine app("traffic",
                         "Simulate cars and pedestrians on a network of streets, and give their final state");
    define_options(app, request);
    app.parse(argc, argv);
    bench::Experiment const experiment = make_experiment();
    bench::Axes const axes = axes_of(request, experiment);
    bench::Variant const& variant = choose(experiment, request, axes);
    bench::Problem const problem = {axes, request.seed, 0, experiment.units(axes)};
    std::unique_ptr<bench::Case> const simulation = variant.make(problem);
    simulation->reset();
    simulation->run({});
    std::vector<std::uint64_t> agents(problem.units);
    for (std::size_t agent = 0; agent < agents.size(); ++agent)
        agents[agent] = agent;
    std::vector<bench::UnitResult> const state = simulation->results(agents);
    std::shared_ptr<Traffic const> const traffic = traffic_of(problem);

    if (!request.csv.empty())
        bench::write_file_atomically(request.csv, csv_of(*traffic, state));
    if (!request.png.empty()) {
        std::vector<AgentPoint> points;
        for (std::size_t agent = 0; agent < state.size(); ++agent)
            points.push_back({traffic->type_of(agent), state[agent][1], float_of(state[agent][0])});
        bench::write_file_atomically(request.png, bench::png_of(draw_network(*traffic->network, points)));
    }
    print(*traffic, state);
    std::printf("dispatch %s on machine %s\n", variant.name.c_str(),
                std::string(simt::to_string(variant.machine)).c_str());
    return 0;
}

}  // namespace lockstep::object_layout
