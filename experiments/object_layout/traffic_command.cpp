#include "experiments/object_layout/command.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
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
#include "harness/bench/host_memory.hpp"
#include "harness/cli/axis_options.hpp"
#include "harness/cli/command_line.hpp"
#include "harness/cli/distinct_files.hpp"
#include "harness/cli/json_output.hpp"
#include "harness/cli/variant_choice.hpp"

namespace lockstep::object_layout {

namespace {

// What the host holds of an agent: its place, its state and its result. Measured with 100 million cars.
constexpr double bytes_per_agent = 90;

struct Request {
    cli::AxisTexts axes;
    std::string dispatch = "auto";
    std::string machine = "auto";
    std::uint64_t seed = 1;
    std::string csv;
    std::string png;
    std::string animate;
    std::uint64_t frames = 60;
    bool json = false;
};

void define_options(cli::CommandLine& app, bench::Experiment const& experiment, Request& request) {
    std::vector<std::string> const names = {"streets", "network", "cars", "pedestrians", "ticks",
                                            "types",   "weather", "mode", "layout",      "order"};
    cli::add_axes(app, cli::axes_named(experiment, names), request.axes);
    app.exclude("--network", "--streets");
    app.add_option(
        "--dispatch", request.dispatch,
        "auto; on a GPU switch, factored, virtual, table, per_type, inlined or registers (ours); on the CPU objects "
        "or columns");
    app.add_option("--machine", request.machine, "cpu, emulator, cuda or auto");
    app.add_option("--seed", request.seed, "The same seed gives the same final state");
    app.add_option("--csv", request.csv, "Write every agent's final state to this file");
    app.add_option("--png", request.png, "Draw a map of the streets with all agents into this file");
    app.add_option("--animate", request.animate, "Draw the map at equal intervals of ticks into this new folder");
    app.add_option("--frames", request.frames, "Pictures of --animate, at most 10000");
    app.add_json(request.json, "Print the summary of the final state as JSON");
    app.add_max_input();
}

// Returns the named dispatch. `auto` chooses on a GPU by layout, order and size; on the CPU, columns are the fastest.
bench::Variant const& choose(bench::Experiment const& experiment, Request const& request, bench::Axes const& axes) {
    std::vector<std::string> wanted = {"auto", "columns", "objects"};
    if (request.dispatch != "auto") {
        bench::require_known(
            "dispatch", request.dispatch,
            {"registers", "columns", "inlined", "switch", "factored", "per_type", "table", "virtual", "objects"});
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

// A name as a field of CSV (RFC 4180).
std::string csv_field(std::string const& name) {
    if (name.find_first_of(",\"") == name.npos)
        return name;
    std::string quoted = "\"";
    for (char const c : name)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

std::string street_name(Network const& network, unsigned street) {
    if (network.from.empty())
        return std::to_string(street);
    return csv_field(network.junctions[network.from[street]]) + "," + csv_field(network.junctions[network.to[street]]);
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

// A car's speed on its street in the next tick, as traffic.hpp defines it.
float speed_of(Traffic const& traffic, std::uint64_t agent, unsigned street) {
    unsigned const type = traffic.type_of(agent);
    if (!is_car(type))
        return 0;
    float const own = birth_of(traffic.seed, traffic.network->streets(), agent).max_velocity *
                      (1.0f - static_cast<float>(kind_of(type)) / 32.0f);
    return std::min(own, traffic.network->max_velocity[street]) * traffic.weather;
}

std::string picture_of(Picture const& picture, Traffic const& traffic, std::vector<bench::UnitResult> const& state) {
    std::vector<AgentPoint> points;
    for (std::size_t agent = 0; agent < state.size(); ++agent) {
        unsigned const street = state[agent][1];
        points.push_back({traffic.type_of(agent), street, float_of(state[agent][0]), speed_of(traffic, agent, street)});
    }
    return bench::png_of(picture.with(points, traffic.ticks));
}

// The state of all agents after the ticks of the problem.
std::vector<bench::UnitResult> simulate(bench::Variant const& variant, bench::Problem const& problem) {
    std::unique_ptr<bench::Case> const simulation = variant.make(problem);
    simulation->reset();
    simulation->run({});
    std::vector<std::uint64_t> agents(problem.units);
    for (std::size_t agent = 0; agent < agents.size(); ++agent)
        agents[agent] = agent;
    return simulation->results(agents);
}

void require_new_folder(std::string const& folder) {
    std::error_code error;
    if (std::filesystem::exists(std::filesystem::symlink_status(folder, error))) {
        throw bench::Error("cannot write frames into " + folder, "it exists", "Give the name of a new folder.");
    }
}

std::filesystem::path whole_path(std::string const& name) {
    std::filesystem::path const path = std::filesystem::weakly_canonical(std::filesystem::absolute(name));
    return path.has_filename() ? path : path.parent_path();
}

// The folder of --animate must not be a file of the command, and a picture in it must not replace one.
void require_apart_from_frames(std::string const& folder, std::string const& output) {
    if (folder.empty() || output.empty())
        return;
    std::filesystem::path const path = whole_path(output);
    std::string const name = path.filename().string();
    bool const is_frame =
        path.parent_path() == whole_path(folder) && name.starts_with("frame_") && name.ends_with(".png");
    if (is_frame || path == whole_path(folder)) {
        throw bench::Error("cannot write " + output, "it belongs to the frames of --animate", "Name another file.");
    }
}

// One class of agents is a class of cars.
void check_types(bench::Axes const& axes) {
    if (axes.integer("types") == 1 && axes.integer("pedestrians") > 0) {
        throw bench::Error("--types 1 has no class for pedestrians", "one class of agents is that of the cars",
                           "Give --pedestrians 0, or --types 2 or more.");
    }
}

void check_animation(Request const& request, bool const frames_given) {
    constexpr std::uint64_t max_frames = 10000;
    if (request.frames < 1 || request.frames > max_frames) {
        throw bench::Error("--frames " + std::to_string(request.frames) + " is out of range",
                           "from 1 to " + std::to_string(max_frames));
    }
    if (!request.animate.empty())
        require_new_folder(request.animate);
    else if (frames_given)
        throw bench::Error("--frames has no effect", "it counts the pictures of --animate", "Add --animate FOLDER.");
}

// A simulation from tick 0 per frame: the state after t ticks does not depend on the ticks that follow.
void animate(bench::Experiment const& experiment, bench::Variant const& variant, bench::Problem problem,
             Request const& request) {
    auto const ticks = static_cast<std::uint64_t>(problem.axes.integer("ticks"));
    std::shared_ptr<Traffic const> const whole = traffic_of(problem);
    Picture const picture(*whole->network);
    for (std::uint64_t frame = 1; frame <= request.frames; ++frame) {
        bench::set_axis(experiment, problem.axes, "ticks", std::to_string(ticks * frame / request.frames));
        std::vector<bench::UnitResult> const state = simulate(variant, problem);
        char name[32];
        std::snprintf(name, sizeof name, "frame_%05llu.png", static_cast<unsigned long long>(frame));
        bench::write_file_atomically(std::filesystem::path(request.animate) / name,
                                     picture_of(picture, *traffic_of(problem), state), bench::Durable::no);
    }
    if (!request.json) {
        std::printf("%llu frames in %s; a film of them: ffmpeg -framerate 20 -i %s/frame_%%05d.png traffic.mp4\n",
                    static_cast<unsigned long long>(request.frames), request.animate.c_str(), request.animate.c_str());
    }
}

// The final state of all cars or of all pedestrians.
struct ClassSummary {
    char const* name = "";
    std::size_t agents = 0;
    std::size_t streets = 0;  // with such an agent
    double mean_progress = 0;
};

std::vector<ClassSummary> summaries_of(Traffic const& traffic, std::vector<bench::UnitResult> const& state) {
    std::vector<ClassSummary> summaries;
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
        summaries.push_back({parity == 0 ? "cars" : "pedestrians", count, streets.size(),
                             count == 0 ? 0 : progress / static_cast<double>(count)});
    }
    return summaries;
}

void print(std::vector<ClassSummary> const& summaries, bench::Variant const& variant) {
    std::printf("%-12s %10s %10s %16s\n", "class", "agents", "streets", "mean progress");
    for (ClassSummary const& one : summaries)
        std::printf("%-12s %10zu %10zu %16.6f\n", one.name, one.agents, one.streets, one.mean_progress);
    std::printf("dispatch %s on machine %s\n", variant.name.c_str(),
                std::string(simt::to_string(variant.machine)).c_str());
}

std::string document_of(std::vector<ClassSummary> const& summaries, bench::Variant const& variant,
                        bench::Problem const& problem) {
    std::vector<std::string> classes;
    for (ClassSummary const& one : summaries)
        classes.push_back(cli::json_object({{"class", cli::json_text(one.name)},
                                            {"agents", std::to_string(one.agents)},
                                            {"streets", std::to_string(one.streets)},
                                            {"mean_progress", cli::json_number(one.mean_progress)}}));
    return cli::json_document({{"dispatch", cli::json_text(variant.name)},
                               {"machine", cli::json_text(simt::to_string(variant.machine))},
                               {"seed", std::to_string(problem.seed)},
                               {"ticks", std::to_string(problem.axes.integer("ticks"))},
                               {"classes", cli::json_lines(classes)}});
}

}  // namespace

int traffic_command(int argc, char const* const* argv) {
    Request request;
    cli::CommandLine app("traffic",
                         "Simulate cars and pedestrians on a network of streets, and report their final state");
    bench::Experiment const experiment = make_experiment();
    define_options(app, experiment, request);
    app.parse(argc, argv);
    cli::require_distinct_files({request.axes["network"]}, {request.csv, request.png});
    for (std::string const& output : {request.csv, request.png})
        require_apart_from_frames(request.animate, output);
    bench::Axes const axes = cli::axes_from(experiment, request.axes);
    experiment.check(axes);
    check_types(axes);
    check_animation(request, app.given("--frames"));
    bench::Variant const& variant = choose(experiment, request, axes);
    bench::Problem const problem = {axes, request.seed, 0, experiment.units(axes)};
    bench::require_memory("cannot simulate " + std::to_string(problem.units) + " agents",
                          bytes_per_agent * static_cast<double>(problem.units));
    std::vector<bench::UnitResult> const state = simulate(variant, problem);
    std::shared_ptr<Traffic const> const traffic = traffic_of(problem);

    if (!request.csv.empty())
        bench::write_file_atomically(request.csv, csv_of(*traffic, state));
    if (!request.png.empty())
        bench::write_file_atomically(request.png, picture_of(Picture(*traffic->network), *traffic, state));
    if (!request.animate.empty())
        animate(experiment, variant, problem, request);
    std::vector<ClassSummary> const summaries = summaries_of(*traffic, state);
    if (request.json)
        cli::print_json(document_of(summaries, variant, problem));
    else
        print(summaries, variant);
    return 0;
}

}  // namespace lockstep::object_layout
