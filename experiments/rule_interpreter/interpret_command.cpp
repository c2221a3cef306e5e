#include <chrono>
#include <cstdio>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "common/rule_interpreter/workload.hpp"
#include "experiments/rule_interpreter/command.hpp"
#include "experiments/rule_interpreter/experiment.hpp"
#include "experiments/rule_interpreter/interpret_output.hpp"
#include "experiments/rule_interpreter/invalid_lines.hpp"
#include "experiments/rule_interpreter/rule_file_tool.hpp"
#include "experiments/rule_interpreter/tune.hpp"
#include "harness/bench/atomic_file.hpp"
#include "harness/bench/axes.hpp"
#include "harness/bench/error.hpp"
#include "harness/cli/axis_options.hpp"
#include "harness/cli/command_line.hpp"
#include "harness/cli/distinct_files.hpp"
#include "harness/cli/json_output.hpp"
#include "harness/cli/time_limit.hpp"
#include "harness/cli/variant_choice.hpp"
#include "harness/ranks/ranks.hpp"

namespace lockstep::rule_interpreter {

namespace {

struct Request {
    cli::AxisTexts axes;
    std::uint64_t puzzles = 0;
    std::string file;
    std::string variant;
    std::string machine = "auto";
    std::uint64_t seed = 1;
    std::string csv;
    std::uint64_t show = 1;
    bool json = false;
    bool tune = false;
    double timeout = 0;
    rule_file::Request rules;
};

void define_options(cli::CommandLine& app, bench::Experiment const& experiment, Request& request) {
    std::vector<std::string> const names = {"rules",  "states", "range",    "divergence", "enabled", "load", "shape",
                                            "layout", "steps",  "accesses", "clues",      "bound",   "until"};
    std::vector<bench::Axis> axes = cli::axes_named(experiment, names);
    std::erase(axes.front().allowed, "search");  // rules alone do not guess: problem_of refuses it
    cli::add_axes(app, axes, request.axes);
    app.add_option("--puzzles", request.puzzles, "sudoku: number of puzzles to generate");
    app.add_option("--file", request.file,
                   "sudoku: a file with one puzzle of 81 characters per line; - is standard input");
    app.add_option("--variant", request.variant, "Name in `lockstep list`; default: auto, or all_cores on the CPU");
    app.add_option("--machine", request.machine, "auto, cpu, emulator or cuda");
    app.add_option("--seed", request.seed, "Random seed; equal seeds give equal states");
    app.add_option("--csv", request.csv, "Write one line per state to this file");
    app.add_option("--show", request.show, "sudoku: print this many solved boards, or unsolved ones if none is solved");
    app.add_timeout(request.timeout);
    app.add_json(request.json, "Print the outcome as JSON");
    app.add_flag(
        "--tune", request.tune,
        "Measure the constants that --variant auto uses on this GPU, and store them in the cache folder, or in "
        "$LOCKSTEP_TUNING");
    app.add_max_input();
    rule_file::define_options(app, request.rules);
}

// Throws bench::Error for options of other rules, and for options that a puzzle file leaves without effect.
void refuse_options_without_effect(cli::CommandLine const& app, Request const& request) {
    bool const sudoku = request.axes.at("rules") == "sudoku";
    auto const refuse = [&](std::vector<std::string> const& options, std::string const& where, std::string const& why) {
        for (std::string const& option : options) {
            if (app.given(option))
                throw bench::Error(option + " has no effect " + where, why, "Leave it out.");
        }
    };
    if (!sudoku) {
        std::string const rules = request.axes.at("rules").empty() ? "synthetic" : request.axes.at("rules");
        if (rules != "synthetic")
            refuse({"--shape"}, "with --rules " + rules, "the rules have no products of matrices");
        if (rules == "accesses")
            refuse({"--load"}, "with --rules accesses", "the rule has no products of matrices");
        else
            refuse({"--accesses"}, "with --rules " + rules, "it applies to rules accesses");
        return refuse({"--clues", "--bound", "--until", "--show", "--puzzles"}, "without --rules sudoku",
                      "it applies to puzzles");
    }
    if (app.given("--puzzles") && request.puzzles == 0 && request.file.empty())
        throw bench::Error("no puzzles to generate", "--puzzles is 0", "Give at least 1.");
    refuse({"--range", "--divergence", "--enabled", "--load", "--shape", "--accesses", "--steps"},
           "with --rules sudoku", "its values and rules are fixed");
    if (!request.file.empty())
        refuse({"--clues", "--puzzles", "--states", "--seed"}, "with --file", "the file holds the puzzles");
    else if (app.given("--puzzles"))
        refuse({"--states"}, "with --puzzles", "both give the number of puzzles");
}

// Returns the named variant, or by default auto, or all_cores on the CPU.
bench::Variant const& variant_of(bench::Experiment const& experiment, Request const& request, bench::Axes const& axes) {
    std::vector<std::string> names = {"auto", "all_cores"};
    if (!request.variant.empty()) {
        names.clear();
        for (bench::Variant const& variant : experiment.variants)
            names.push_back(variant.name);
        bench::require_known("variant", request.variant, names);
        names = {request.variant};
    }
    return cli::choose_variant(experiment, axes,
                               cli::machines_to_try(request.machine, {bench::Machine::cuda, bench::Machine::cpu}),
                               names, "cannot interpret with variant " + names.front());
}

bench::Problem problem_of(bench::Experiment const& experiment, Request const& request,
                          std::optional<PuzzleFile> const& file) {
    bench::Problem problem;
    problem.axes = cli::axes_from(experiment, request.axes);
    problem.seed = request.seed;
    if (problem.axes.text("rules") == "search")
        throw bench::Error("cannot interpret rules search", "rules alone do not guess", "Use lockstep sudoku.");
    bool const sudoku = problem.axes.text("rules") == "sudoku";
    if (!sudoku && (request.puzzles != 0 || !request.file.empty()))
        throw bench::Error("puzzles need rules sudoku", "the rules are " + problem.axes.text("rules"),
                           "Add --rules sudoku.");
    if (!request.axes.at("divergence").empty() && !request.axes.at("enabled").empty())
        throw bench::Error("both --divergence and --enabled", "each determines the number of enabled values",
                           "Give one.");
    problem.units = file                   ? file->puzzles.size()
                    : request.puzzles != 0 ? request.puzzles
                                           : experiment.units(problem.axes);
    if (file)
        problem.axes.set("puzzles", request.file);
    if (problem.units != 0)  // a file may hold no puzzle
        bench::set_axis(experiment, problem.axes, "states", std::to_string(problem.units));
    experiment.check(problem.axes);
    return problem;
}

int tuned(cli::CommandLine const& app, bench::Experiment const& experiment, Request const& request) {
    std::vector<std::string> others = {"--rules-file", "--variant", "--machine", "--csv",  "--timeout",
                                       "--json",       "--puzzles", "--file",    "--seed", "--show"};
    for (auto const& [axis, text] : request.axes)
        others.push_back("--" + axis);
    for (std::string const& option : others) {
        if (app.given(option))
            throw bench::Error(option + " does not go with --tune", "it measures the variants of this GPU",
                               "Give --tune alone.");
    }
    return tune_command(experiment);
}

struct Computed {
    std::vector<bench::UnitResult> results;
    std::uint64_t digest = 0;
    double setup_seconds = 0;  // of the states, until the rules begin
    double seconds = 0;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Computes this rank's part of the states.
Computed run_here(bench::Variant const& variant, bench::Problem problem) {
    ranks::Part const part = ranks::part_of(problem.first_unit, problem.units);
    if (part.units == 0)
        return {};
    problem.first_unit = part.first;
    problem.units = part.units;
    Computed computed;
    auto start = std::chrono::steady_clock::now();
    std::unique_ptr<bench::Case> const made = variant.make(problem);
    made->reset();
    computed.setup_seconds = seconds_since(start);
    start = std::chrono::steady_clock::now();
    made->run({});
    std::vector<std::uint64_t> units(part.units);
    std::iota(units.begin(), units.end(), part.first);
    computed.results = made->results(units);
    computed.seconds = seconds_since(start);
    computed.digest = made->digest();
    return computed;
}

}  // namespace

int interpret_command(int argc, char const* const* argv) {
    Request request;
    cli::CommandLine app("interpret", "Apply a rule base to many states");
    bench::Experiment const experiment = make_experiment();
    define_options(app, experiment, request);
    app.parse(argc, argv);
    rule_file::check_options(app, request.rules);
    cli::require_distinct_files({request.file}, {request.csv});
    if (request.tune)
        return tuned(app, experiment, request);
    cli::TimeLimit const limit(request.timeout);
    if (!request.rules.file.empty())
        return rule_file::interpret(
            {request.rules, request.axes, request.machine, request.variant, request.seed, request.csv, request.json});
    cli::check_standard_input(request.file);
    std::optional<PuzzleFile> file;
    if (!request.file.empty())
        file = read_puzzles(request.file);
    bench::Problem const problem = problem_of(experiment, request, file);
    refuse_options_without_effect(app, request);
    bench::Variant const& variant = variant_of(experiment, request, problem.axes);

    Computed mine;
    ranks::together([&] { mine = run_here(variant, problem); });
    double const setup_seconds = ranks::largest(mine.setup_seconds);
    double const seconds = ranks::largest(mine.seconds);
    std::uint64_t const digest = ranks::sum(mine.digest);
    std::vector<bench::UnitResult> const results = ranks::gathered(std::move(mine.results));
    if (!ranks::is_root())
        return 0;
    if (!request.csv.empty())
        bench::write_file_atomically(request.csv, csv_of(job_of(problem), results, file));
    char digits[24];
    std::snprintf(digits, sizeof digits, "0x%016llx", static_cast<unsigned long long>(digest));
    if (request.json) {
        std::vector<cli::JsonMember> members = members_of(job_of(problem), results, request.show);
        if (problem.axes.text("rules") == "sudoku")
            members.emplace_back("invalid_lines", std::to_string(file ? file->invalid_lines : 0));
        members.insert(members.end(), {{"variant", cli::json_text(variant.name)},
                                       {"machine", cli::json_text(simt::to_string(variant.machine))},
                                       {"setup_seconds", cli::json_number(setup_seconds)},
                                       {"seconds", cli::json_number(seconds)},
                                       {"digest", cli::json_text(digits)}});
        cli::print_json(cli::json_document(members));
    } else {
        print(job_of(problem), results, request.show);
        std::printf("%s on machine %s, %.3g s with results read back, %.3g s to set up the states, digest %s\n",
                    variant.name.c_str(), std::string(simt::to_string(variant.machine)).c_str(), seconds, setup_seconds,
                    digits);
    }
    return file && print_invalid_lines(*file, request.file) ? 2 : 0;
}

}  // namespace lockstep::rule_interpreter
