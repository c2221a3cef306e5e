#include "harness/cli/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "harness/bench/error.hpp"
#include "harness/bench/nearest.hpp"

namespace lockstep::cli {

namespace {

std::vector<std::string> long_options(CLI::App const& app) {
    std::vector<std::string> names;
    for (CLI::Option const* const option : app.get_options()) {
        for (std::string const& name : option->get_lnames())
            names.push_back("--" + name);
    }
    return names;
}

// Parses, and says in our own grammar what is wrong. Extras are gathered first, so that an unknown option is named with
// the nearest known one.
void parse(CLI::App& app, std::string const& command, int const argc, char const* const* const argv) {
    app.allow_extras();
    std::string const advice = "see lockstep " + command + " --help";
    try {
        app.parse(argc, argv);
    } catch (CLI::CallForHelp const&) {
        throw HelpRequested{app.help()};
    } catch (CLI::ParseError const& error) {
        std::string reason = error.what();
        std::replace(reason.begin(), reason.end(), '\n', ' ');
        throw bench::Error("invalid command line", reason, advice);
    }
    std::vector<std::string> const extras = app.remaining();
    if (extras.empty())
        return;
    std::string const name = extras.front().substr(0, extras.front().find('='));
    std::string const near = bench::nearest(name, long_options(app));
    bool const is_option = name.rfind('-', 0) == 0;
    throw bench::Error("unknown " + std::string(is_option ? "option " : "argument ") + name,
                       is_option ? command + " has no such option or axis" : command + " takes no such argument",
                       near.empty() ? advice : "did you mean " + near + "?");
}

std::string axis_help(bench::Axis const& axis) {
    std::string text = axis.description + " (axis; default " + axis.default_value;
    if (!axis.allowed.empty())
        text += "; " + bench::joined(axis.allowed);
    return text + ")";
}

}  // namespace

std::vector<std::string> split_list(std::string const& option, std::string const& text) {
    std::vector<std::string> parts;
    std::size_t start = 0;
    while (true) {
        std::size_t const comma = text.find(',', start);
        parts.push_back(text.substr(start, comma == std::string::npos ? comma : comma - start));
        if (parts.back().empty()) {
            throw bench::Error("invalid " + option + " " + text, "a value is empty",
                               "separate values by single commas");
        }
        if (comma == std::string::npos)
            return parts;
        start = comma + 1;
    }
}

std::uint64_t parse_number(std::string const& option, std::string const& text, std::uint64_t const minimum,
                           std::uint64_t const maximum) {
    std::uint64_t value = 0;
    char const* const end = text.data() + text.size();
    auto const [stop, code] = std::from_chars(text.data(), end, value);
    if (code != std::errc() || stop != end || value < minimum || value > maximum) {
        throw bench::Error("invalid " + option + " " + text,
                           "must be an integer from " + std::to_string(minimum) + " to " + std::to_string(maximum));
    }
    return value;
}

ListOptions parse_list(int const argc, char const* const* const argv) {
    ListOptions options;
    CLI::App app("Experiments and their variants", "lockstep list");
    app.add_option("experiment", options.experiments, "Names of experiments; all where none is given");
    app.add_flag("--axes", options.axes, "Axes too, with their defaults and values");
    app.add_flag("--json", options.json, "As JSON, axes included");
    parse(app, "list", argc, argv);
    return options;
}

void parse_devices(int const argc, char const* const* const argv) {
    CLI::App app("The machines of this computer", "lockstep devices");
    parse(app, "devices", argc, argv);
}

MergeOptions parse_merge(int const argc, char const* const* const argv) {
    MergeOptions options;
    CLI::App app("Adds rows of results to a file: of two of one name the newer stays", "lockstep merge");
    app.add_option("file", options.files, "Files of results to take rows from")->required();
    app.add_option("--into", options.into, "The file of results that they go to, as results/DEVICE/EXPERIMENT.json")
        ->required();
    parse(app, "merge", argc, argv);
    return options;
}

RunArguments parse_run(std::vector<bench::Experiment> const& experiments, int const argc,
                       char const* const* const argv) {
    RunArguments arguments;
    std::string sweeps;
    std::map<std::string, std::string> axes;
    CLI::App app("Runs experiments: verify, time, verify", "lockstep run");
    app.add_option("experiment", arguments.experiments, "Names of experiments");
    app.add_option("--sweep", sweeps, "Sweeps of the experiment's sweeps.json, separated by commas");
    app.add_option("--preset", arguments.preset, "Sweeps of a preset: quick (default), paper, full");
    app.add_option("--variant", arguments.variant, "Regular expression on the variant's whole name");
    app.add_option("--machine", arguments.machine,
                   "cpu, emulator, cuda, several by commas, or auto (default): cpu, and cuda where there is a GPU, "
                   "else emulator");
    app.add_option("--repetitions", arguments.repetitions, "Repetitions of each case; else the sweep's");
    app.add_option("--seed", arguments.seed, "Seed of all random numbers (default 1)");
    app.add_option("--shard", arguments.shard, "I/N: part I of N of each case's units");
    app.add_option("--cache", arguments.cache, "hot or cold last-level cache; else the sweep's");
    app.add_option("--out", arguments.output, "Folder of results (default: results of the source tree)");
    app.add_flag("--dry-run", arguments.dry_run, "Lists the cases and runs none");
    app.add_flag("--missing", arguments.missing, "Only cases that the results do not have from this commit");
    for (bench::Experiment const& experiment : experiments) {
        for (bench::Axis const& axis : experiment.axes) {
            if (axes.count(axis.name) != 0)
                continue;
            app.add_option("--" + axis.name, axes[axis.name], axis_help(axis));
        }
    }
    parse(app, "run", argc, argv);
    if (!sweeps.empty())
        arguments.sweeps = split_list("--sweep", sweeps);
    for (auto const& [name, text] : axes) {
        if (app.count("--" + name) != 0)
            arguments.axes[name] = split_list("--" + name, text);
    }
    return arguments;
}

}  // namespace lockstep::cli
