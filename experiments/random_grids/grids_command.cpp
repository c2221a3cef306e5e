#include "experiments/random_grids/command.hpp"

#include <cstdio>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "experiments/random_grids/boards.hpp"
#include "experiments/random_grids/experiment.hpp"
#include "experiments/random_grids/picture.hpp"
#include "harness/bench/atomic_file.hpp"
#include "harness/bench/axes.hpp"
#include "harness/bench/error.hpp"
#include "harness/cli/axis_options.hpp"
#include "harness/cli/command_line.hpp"
#include "harness/cli/json_output.hpp"
#include "harness/cli/variant_choice.hpp"
#include "harness/ranks/ranks.hpp"

namespace lockstep::random_grids {

namespace {

struct Request {
    unsigned width = 15;
    unsigned height = 15;
    unsigned count = 1;
    unsigned streams = 1;
    std::string variant = "auto";
    std::string machine = "auto";
    // Not the slides' XORWOW: its low bits bias narrow boards (METHOD.md).
    cli::AxisTexts axes = {{"occupied", "71,70"}, {"engine", "philox10"}};
    std::uint64_t seed = 1;
    std::string format = "text";
    bool json = false;
    std::string png;
};

void define_options(cli::CommandLine& app, bench::Experiment const& experiment, Request& request) {
    app.add_option("--width", request.width, "Sites per row");
    app.add_option("--height", request.height, "Number of rows");
    // Options for all axes except those that have their own options here.
    std::vector<bench::Axis> axes = experiment.axes;
    std::set<std::string> const others = {"grid", "streams", "length", "output"};
    std::erase_if(axes, [&](bench::Axis const& axis) { return others.contains(axis.name); });
    cli::add_axes(app, axes, request.axes);
    app.add_option("--count", request.count, "Number of boards");
    app.add_option("--streams", request.streams,
                   "Number of streams, each with --count boards; ranks share the streams");
    app.add_option("--variant", request.variant, "Algorithm, by its name in `lockstep list`");
    app.add_option("--machine", request.machine, "cpu, emulator or cuda");
    app.add_option("--seed", request.seed, "Random seed; equal seeds give equal boards");
    app.add_option("--format", request.format, "text, pbm (one colour), pgm or json");
    app.add_option("--png", request.png, "Also draw the boards to this file");
    app.add_json(request.json, "Print the boards as JSON, as --format json does");
}

bench::Axes axes_of(Request const& request, bench::Experiment const& experiment) {
    cli::AxisTexts texts = request.axes;
    texts["grid"] = std::to_string(request.width) + "x" + std::to_string(request.height);
    texts["streams"] = std::to_string(request.streams);
    texts["length"] = std::to_string(request.count);
    texts["output"] = "stored";
    bench::Axes const axes = cli::axes_from(experiment, texts);
    experiment.check(axes);
    return axes;
}

bool draws_exactly(bench::Variant const& variant) { return variant.name != "warpwise_no_sum"; }

// Returns the variant that the user named, or one that supports the board: halving on the CPU, else warpwise, else one
// thread per stream.
bench::Variant const& choose(bench::Experiment const& experiment, Request const& request, bench::Axes const& axes) {
    std::vector<std::string> names;
    for (bench::Variant const& variant : experiment.variants) {
        if (draws_exactly(variant))
            names.push_back(variant.name);
    }
    std::vector<std::string> wanted = {"halving", "warpwise", "warpwise_folded", "threadwise_runtime"};
    if (request.variant != "auto") {
        bench::require_known("variant", request.variant, names);
        wanted = {request.variant};
    }
    // A few boards are too little work for a GPU, so the CPU comes first; a variant that exists only on a GPU runs
    // there.
    std::vector<bench::Machine> const machines =
        cli::machines_to_try(request.machine, {bench::Machine::cpu, bench::Machine::cuda, bench::Machine::emulator});
    return cli::choose_variant(experiment, axes, machines, wanted, "cannot draw with variant " + request.variant);
}

std::string json_document(Request const& request, bench::Variant const& variant, std::vector<Board> const& boards) {
    std::string occupied = request.axes.at("occupied");
    if (occupied == "mixed" || occupied == "half") {
        occupied = "\"" + occupied + "\"";
    } else {
        occupied = "[" + occupied + "]";
    }
    return "{\"width\": " + std::to_string(request.width) + ", \"height\": " + std::to_string(request.height) +
           ", \"occupied\": " + occupied + ", \"seed\": " + std::to_string(request.seed) + ", \"engine\": \"" +
           request.axes.at("engine") + "\", \"variant\": \"" + variant.name + "\", \"machine\": \"" +
           std::string(simt::to_string(variant.machine)) + "\", \"boards\": " + json_of(boards) + "}\n";
}

// Draws this rank's part of the streams.
std::vector<bench::UnitResult> draw_here(bench::Variant const& variant, bench::Problem problem) {
    ranks::Part const part = ranks::part_of(problem.first_unit, problem.units);
    if (part.units == 0)
        return {};
    problem.first_unit = part.first;
    problem.units = part.units;
    std::unique_ptr<bench::Case> const drawing = variant.make(problem);
    drawing->reset();
    drawing->run({});
    std::vector<std::uint64_t> units(part.units);
    std::iota(units.begin(), units.end(), part.first);
    return drawing->results(units);
}

}  // namespace

int grids_command(int argc, char const* const* argv) {
    Request request;
    cli::CommandLine app("grids", "Draw boards with a given number of occupied sites, every such board equally likely");
    bench::Experiment const experiment = make_experiment();
    define_options(app, experiment, request);
    app.parse(argc, argv);
    if (request.json && app.given("--format") && request.format != "json")
        throw bench::Error("both --json and --format " + request.format, "the boards have one format", "Give one.");
    if (request.json)
        request.format = "json";
    bench::require_known("format", request.format, {"text", "pbm", "pgm", "json"});
    if (request.count == 0)
        throw bench::Error("no boards to draw", "--count is 0", "Give at least 1.");

    bench::Axes const axes = axes_of(request, experiment);
    Workload const workload = read_workload(axes);
    if (request.format == "pbm" && workload.planes() > 1) {
        throw bench::Error("format pbm holds one colour", "the boards have " + std::to_string(workload.planes()),
                           "Use --format pgm.");
    }
    bench::Variant const& variant = choose(experiment, request, axes);
    std::vector<bench::UnitResult> streams;
    ranks::together([&] { streams = draw_here(variant, {axes, request.seed, 0, request.streams}); });
    std::vector<Board> boards;
    for (bench::UnitResult const& stream : ranks::gathered(std::move(streams))) {
        std::vector<Board> const some = decode_boards(workload, stream);
        boards.insert(boards.end(), some.begin(), some.end());
    }
    if (!ranks::is_root())
        return 0;

    if (!request.png.empty())
        bench::write_file_atomically(request.png, png_of(draw_boards(boards)));
    std::string const output = request.format == "pbm"    ? pbm_of(boards)
                               : request.format == "pgm"  ? pgm_of(boards, workload.planes())
                               : request.format == "json" ? json_document(request, variant, boards)
                                                          : text_of(boards);
    if (request.json)
        cli::print_json(output);
    else
        std::fwrite(output.data(), 1, output.size(), stdout);
    return 0;
}

}  // namespace lockstep::random_grids
