#include <algorithm>
#include <chrono>
#include <cstdio>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "common/rule_interpreter/workload.hpp"
#include "experiments/rule_interpreter/command.hpp"
#include "experiments/rule_interpreter/experiment.hpp"
#include "harness/bench/atomic_file.hpp"
#include "harness/bench/axes.hpp"
#include "harness/bench/error.hpp"
#include "harness/bench/one_line.hpp"
#include "harness/cli/axis_options.hpp"
#include "harness/cli/command_line.hpp"
#include "harness/cli/json_output.hpp"
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
};

void define_options(cli::CommandLine& app, bench::Experiment const& experiment, Request& request) {
    std::vector<std::string> const names = {"rules",  "states", "range",    "divergence", "enabled", "load", "shape",
                                            "layout", "steps",  "accesses", "clues",      "bound",   "until"};
    cli::add_axes(app, cli::axes_named(experiment, names), request.axes);
    app.add_option("--puzzles", request.puzzles, "sudoku: number of puzzles to generate");
    app.add_option("--file", request.file,
                   "sudoku: a file with one puzzle of 81 characters per line; - is standard input");
    app.add_option("--variant", request.variant, "Name in `lockstep list`; default: auto, or all_cores on the CPU");
    app.add_option("--machine", request.machine, "auto, cpu, emulator or cuda");
    app.add_option("--seed", request.seed, "Random seed; equal seeds give equal states");
    app.add_option("--csv", request.csv, "Write one line per state to this file");
    app.add_option("--show", request.show, "sudoku: print this many solved boards, or unsolved ones if none is solved");
    app.add_json(request.json, "Print the outcome as JSON");
    app.add_max_input();
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

std::string grid_line(bench::UnitResult const& result) {
    Puzzle grid{};
    for (unsigned i = 0; i < cells; ++i)
        grid[i] = static_cast<std::uint8_t>(result[i] >> 16);
    return to_line(grid);
}

std::string csv_of(Job const& job, std::vector<bench::UnitResult> const& results,
                   std::optional<PuzzleFile> const& file) {
    bool const sudoku = job.workload.base == RuleBase::sudoku;
    std::string text = sudoku ? "line,puzzle,outcome,passes,conclusion\n" : "state,results,checksum\n";
    for (std::size_t i = 0; i < results.size(); ++i) {
        bench::UnitResult const& result = results[i];
        if (sudoku) {
            text += std::to_string(file ? file->lines[i] : i + 1) + "," + to_line(puzzle_of(job, i)) + "," +
                    std::string(to_string(static_cast<Outcome>(result[cells]))) + "," +
                    std::to_string(result[cells + 1]) + "," + grid_line(result) + "\n";
        } else {
            char checksum[24];
            std::snprintf(checksum, sizeof checksum, "%08x%08x", result[1], result[0]);
            text += std::to_string(i) + "," + std::to_string(result[2]) + "," + checksum + "\n";
        }
    }
    return text;
}

// How many puzzles ended how.
struct Outcomes {
    std::map<Outcome, std::size_t> counts;
    std::uint32_t max_passes = 0;
};

constexpr Outcome outcomes_in_order[] = {Outcome::solved, Outcome::unfinished, Outcome::contradiction, Outcome::bound};

Outcomes outcomes_of(std::vector<bench::UnitResult> const& results) {
    Outcomes outcomes;
    for (bench::UnitResult const& result : results) {
        ++outcomes.counts[static_cast<Outcome>(result[cells])];
        outcomes.max_passes = std::max(outcomes.max_passes, result[cells + 1]);
    }
    return outcomes;
}

std::uint64_t values_with_result(std::vector<bench::UnitResult> const& results) {
    std::uint64_t written = 0;
    for (bench::UnitResult const& result : results)
        written += result[2];
    return written;
}

// The first puzzles that are solved, at most this number. If none is, the first puzzles as they are.
std::vector<std::size_t> shown_puzzles(std::vector<bench::UnitResult> const& results, std::uint64_t const show) {
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < results.size() && shown.size() < show; ++i) {
        if (static_cast<Outcome>(results[i][cells]) == Outcome::solved)
            shown.push_back(i);
    }
    if (!shown.empty())
        return shown;
    shown.resize(std::min<std::uint64_t>(show, results.size()));
    std::iota(shown.begin(), shown.end(), std::size_t{0});
    return shown;
}

// The rows of a board of 81 characters, in boxes of three by three; 0 is an empty cell.
std::vector<std::string> board_rows(std::string const& line) {
    std::vector<std::string> rows;
    for (unsigned row = 0; row < 9; ++row) {
        if (row == 3 || row == 6)
            rows.emplace_back("------+-------+------");
        std::string text;
        for (unsigned column = 0; column < 9; ++column) {
            char const digit = line[9 * row + column];
            text += column == 3 || column == 6 ? " | " : column == 0 ? "" : " ";
            text += digit == '0' ? '.' : digit;
        }
        rows.push_back(text);
    }
    return rows;
}

// A puzzle beside what the rules conclude.
void print_board(std::string const& puzzle, bench::UnitResult const& result, std::size_t const number) {
    std::printf("puzzle %zu%*s%s after %u pass%s\n", number, static_cast<int>(20 - std::to_string(number).size()), "",
                std::string(to_string(static_cast<Outcome>(result[cells]))).c_str(), result[cells + 1],
                result[cells + 1] == 1 ? "" : "es");
    std::vector<std::string> const given = board_rows(puzzle);
    std::vector<std::string> const concluded = board_rows(grid_line(result));
    for (std::size_t row = 0; row < given.size(); ++row)
        std::printf("%s      %s\n", given[row].c_str(), concluded[row].c_str());
    std::printf("\n");
}

void print(Job const& job, std::vector<bench::UnitResult> const& results, std::uint64_t const show) {
    if (job.workload.base != RuleBase::sudoku) {
        std::printf("%zu states, %llu values with a result\n", results.size(),
                    static_cast<unsigned long long>(values_with_result(results)));
        return;
    }
    for (std::size_t const i : shown_puzzles(results, show))
        print_board(to_line(puzzle_of(job, i)), results[i], i + 1);
    Outcomes outcomes = outcomes_of(results);
    std::printf("%zu puzzles", results.size());
    for (Outcome const outcome : outcomes_in_order)
        std::printf(", %zu %s", outcomes.counts[outcome], std::string(to_string(outcome)).c_str());
    std::printf("; at most %u passes changed a puzzle\n", outcomes.max_passes);
}

std::vector<cli::JsonMember> members_of(Job const& job, std::vector<bench::UnitResult> const& results,
                                        std::uint64_t const show) {
    if (job.workload.base != RuleBase::sudoku)
        return {{"states", std::to_string(results.size())},
                {"values_with_result", std::to_string(values_with_result(results))}};
    Outcomes outcomes = outcomes_of(results);
    std::vector<cli::JsonMember> counts;
    for (Outcome const outcome : outcomes_in_order)
        counts.emplace_back(to_string(outcome), std::to_string(outcomes.counts[outcome]));
    std::vector<std::string> boards;
    for (std::size_t const i : shown_puzzles(results, show))
        boards.push_back(
            cli::json_object({{"number", std::to_string(i + 1)},
                              {"puzzle", cli::json_text(to_line(puzzle_of(job, i)))},
                              {"conclusion", cli::json_text(grid_line(results[i]))},
                              {"outcome", cli::json_text(to_string(static_cast<Outcome>(results[i][cells])))},
                              {"passes", std::to_string(results[i][cells + 1])}}));
    return {{"puzzles", std::to_string(results.size())},
            {"outcomes", cli::json_object(counts)},
            {"max_passes", std::to_string(outcomes.max_passes)},
            {"boards", cli::json_lines(boards)}};
}

struct Computed {
    std::vector<bench::UnitResult> results;
    std::uint64_t digest = 0;
    double seconds = 0;
};

// Computes this rank's part of the states.
Computed run_here(bench::Variant const& variant, bench::Problem problem) {
    ranks::Part const part = ranks::part_of(problem.first_unit, problem.units);
    if (part.units == 0)
        return {};
    problem.first_unit = part.first;
    problem.units = part.units;
    std::unique_ptr<bench::Case> const made = variant.make(problem);
    made->reset();
    auto const start = std::chrono::steady_clock::now();
    made->run({});
    std::vector<std::uint64_t> units(part.units);
    std::iota(units.begin(), units.end(), part.first);
    Computed computed;
    computed.results = made->results(units);
    computed.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
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
    cli::check_standard_input(request.file);
    std::optional<PuzzleFile> file;
    if (!request.file.empty())
        file = read_puzzles(request.file);
    bench::Problem const problem = problem_of(experiment, request, file);
    bench::Variant const& variant = variant_of(experiment, request, problem.axes);

    Computed mine;
    ranks::together([&] { mine = run_here(variant, problem); });
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
        members.insert(members.end(), {{"variant", cli::json_text(variant.name)},
                                       {"machine", cli::json_text(simt::to_string(variant.machine))},
                                       {"seconds", cli::json_number(seconds)},
                                       {"digest", cli::json_text(digits)}});
        cli::print_json(cli::json_document(members));
    } else {
        print(job_of(problem), results, request.show);
        std::printf("%s on machine %s, %.3g s with results read back, digest %s\n", variant.name.c_str(),
                    std::string(simt::to_string(variant.machine)).c_str(), seconds, digits);
    }
    if (!file || file->errors.empty())
        return 0;
    for (std::string const& error : file->errors)
        std::fprintf(stderr, "lockstep: %s\n", bench::message_line(error).c_str());
    if (file->invalid_lines > file->errors.size())
        std::fprintf(stderr, "lockstep: %zu more lines of %s are not puzzles\n",
                     file->invalid_lines - file->errors.size(), bench::one_line(request.file).c_str());
    return 2;
}

}  // namespace lockstep::rule_interpreter
