#include "experiments/rule_interpreter/sudoku_command.hpp"

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "experiments/rule_interpreter/count_of.hpp"
#include "experiments/rule_interpreter/invalid_lines.hpp"
#include "experiments/rule_interpreter/sudoku_engines.hpp"
#include "harness/bench/atomic_file.hpp"
#include "harness/bench/error.hpp"
#include "harness/cli/command_line.hpp"
#include "harness/cli/distinct_files.hpp"
#include "harness/cli/json_output.hpp"
#include "harness/cli/variant_choice.hpp"

namespace lockstep::rule_interpreter {

namespace {

struct SudokuRequest {
    std::vector<std::string> files;
    std::uint64_t generate = 0;
    unsigned clues = 30;
    std::uint64_t seed = 1;
    std::uint64_t limit = 2;
    std::string machine = "auto";
    std::string csv;
    bool minimal = false;
    bool count = false;
    bool json = false;
};

// Throws bench::Error unless there is one source of puzzles, and for options that it ignores.
void check_source(cli::CommandLine const& app, SudokuRequest const& request) {
    if (app.given("--generate") && !request.files.empty())
        throw bench::Error("two sources of puzzles", "there are a file and --generate", "Leave one of them out.");
    if (app.given("--generate") && request.generate == 0)
        throw bench::Error("no puzzles to generate", "--generate is 0", "Give at least 1.");
    if (request.files.size() > 1)
        throw bench::Error("two files of puzzles", request.files[0] + " and " + request.files[1], "Join them.");
    if (!app.given("--generate") && request.files.empty())
        throw bench::Error("no puzzles", "they come from a file or from --generate",
                           "Try: lockstep sudoku puzzles.txt");
    for (char const* const option : {"--clues", "--minimal", "--seed"}) {
        if (app.given(option) && !request.files.empty())
            throw bench::Error(std::string(option) + " has no effect on a file", "it applies only to generated puzzles",
                               "Use --generate N, or leave it out.");
    }
    if (app.given("--clues") && request.minimal)
        throw bench::Error("--clues has no effect with --minimal", "a minimal puzzle has the clues that it needs",
                           "Leave one of them out.");
}

PuzzleFile puzzles_of(SudokuRequest const& request) {
    if (request.limit == 0 || request.limit > 1u << 30)
        throw bench::Error("limit " + std::to_string(request.limit) + " is not valid", "it must be from 1 to 2^30",
                           "Try 2.");
    if (!request.files.empty())
        return read_puzzles(request.files.front());
    if (request.clues > cells)
        throw bench::Error("too many clues: " + std::to_string(request.clues), "a puzzle has 81 cells", "Use fewer.");
    if (request.generate > 1u << 24)
        throw bench::Error("too many puzzles: " + std::to_string(request.generate), "the most is 2^24",
                           "Use several seeds.");
    PuzzleFile made;
    if (request.minimal)
        made.puzzles = cpu::minimal_puzzles(request.seed, request.generate);
    for (std::uint64_t number = 0; number < request.generate; ++number) {
        if (!request.minimal)
            made.puzzles.push_back(generated_puzzle(request.seed, number, request.clues));
        made.lines.push_back(number + 1);
    }
    return made;
}

// What is known about a puzzle whose search ended at `limit` solutions or before. With a limit of 1, one solution does
// not mean that it is the only one.
std::string verdict(std::uint64_t count, std::uint64_t limit) {
    if (count == 0)
        return "none";
    return count > 1 ? "several" : limit > 1 ? "one" : "some";
}

std::string solution_text(cpu::Solutions const& found, std::uint64_t limit) {
    return verdict(found.count, limit) == "one" ? to_line(found.solution) : std::string();
}

struct Counts {
    std::size_t none = 0, one = 0, several = 0;
};

Counts counts_of(std::vector<cpu::Solutions> const& all) {
    Counts counts;
    for (cpu::Solutions const& found : all)
        ++(found.count == 0 ? counts.none : found.count == 1 ? counts.one : counts.several);
    return counts;
}

std::string csv_of(PuzzleFile const& file, std::vector<cpu::Solutions> const& all, std::uint64_t limit) {
    std::string text = "line,puzzle,solutions,solution\n";
    for (std::size_t i = 0; i < all.size(); ++i)
        text += std::to_string(file.lines[i]) + "," + to_line(file.puzzles[i]) + "," + std::to_string(all[i].count) +
                "," + solution_text(all[i], limit) + "\n";
    return text;
}

void print_puzzles(PuzzleFile const& file, std::vector<cpu::Solutions> const& all, std::uint64_t limit) {
    if (!all.empty())
        std::printf("%-8s %-9s %-81s %s\n", "line", "solutions", "puzzle", "solution");
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::string const solution = solution_text(all[i], limit);
        std::printf("%-8zu %-9s %s %s\n", file.lines[i], verdict(all[i].count, limit).c_str(),
                    to_line(file.puzzles[i]).c_str(), solution.empty() ? "-" : solution.c_str());
    }
}

void print_totals(Counts const& counts, std::size_t puzzles, std::uint64_t limit) {
    std::printf("%s: %zu without a solution, ", count_of(puzzles, "puzzle").c_str(), counts.none);
    if (limit == 1)
        std::printf("%zu with at least one\n", counts.one);
    else
        std::printf("%zu with one, %zu with several, up to %llu each\n", counts.one, counts.several,
                    static_cast<unsigned long long>(limit));
}

}  // namespace

int sudoku_command(int argc, char const* const* argv) {
    SudokuRequest request;
    cli::CommandLine app("sudoku", "Count the solutions of Sudoku puzzles");
    app.add_arguments("FILE", request.files, "one puzzle of 81 characters per line; - is standard input");
    app.add_option("--generate", request.generate, "Number of puzzles to generate instead");
    app.add_option("--clues", request.clues, "Cells shown in a generated puzzle");
    app.add_flag("--minimal", request.minimal, "Generate puzzles with one solution from which no clue can be removed");
    app.add_option("--seed", request.seed, "Random seed of generated puzzles");
    app.add_option("--limit", request.limit, "Stop a puzzle at this many solutions");
    app.add_option("--machine", request.machine,
                   "auto, cpu, emulator or cuda; auto: the CPU, and the GPU for the rest if that pays");
    app.add_option("--csv", request.csv, "Write one line per puzzle to this file");
    app.add_flag("--count", request.count, "Print the totals only");
    app.add_json(request.json, "Print the totals as JSON");
    app.add_footer(
        "A line per puzzle: its line in the file, or its number; its solutions up to --limit, as none, one, several, "
        "or\n"
        "some (at least one, with --limit 1); the puzzle; and its solution if it is the only one, else -.");
    app.add_max_input();
    app.parse(argc, argv);
    check_source(app, request);
    cli::require_distinct_files(request.files, {request.csv});
    if (request.machine != "auto")
        static_cast<void>(cli::machines_to_try(request.machine, {}));  // before the puzzles are read
    PuzzleFile const file = puzzles_of(request);

    auto const start = std::chrono::steady_clock::now();
    Searched const searched = search_on(request.machine, file.puzzles, request.limit);
    double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::vector<cpu::Solutions> const& all = searched.solutions;
    if (!request.csv.empty())
        bench::write_file_atomically(request.csv, csv_of(file, all, request.limit));
    Counts const counts = counts_of(all);
    if (request.json) {
        std::vector<cli::JsonMember> members = {{"puzzles", std::to_string(all.size())},
                                                {"invalid_lines", std::to_string(file.invalid_lines)},
                                                {"limit", std::to_string(request.limit)},
                                                {"none", std::to_string(counts.none)}};
        // With --limit 1, nobody knows which of them have several.
        members.insert(members.end(), {{verdict(1, request.limit), std::to_string(counts.one)},
                                       {"several", request.limit > 1 ? std::to_string(counts.several) : "null"},
                                       {"machine", cli::json_text(searched.machine)},
                                       {"seconds", cli::json_number(seconds)}});
        if (request.limit == 1)
            members.emplace_back("one", "null");
        cli::print_json(cli::json_document(members));
    } else {
        if (!request.count)
            print_puzzles(file, all, request.limit);
        print_totals(counts, all.size(), request.limit);
        std::printf("machine %s, %.3g s with transfers\n", searched.machine.c_str(), seconds);
    }
    return print_invalid_lines(file, request.files.empty() ? "" : request.files.front()) ? 2 : 0;
}

}  // namespace lockstep::rule_interpreter
