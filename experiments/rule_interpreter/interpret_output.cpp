#include "experiments/rule_interpreter/interpret_output.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>

#include "experiments/rule_interpreter/count_of.hpp"

namespace lockstep::rule_interpreter {

namespace {

std::string grid_line(bench::UnitResult const& result) {
    Puzzle grid{};
    for (unsigned i = 0; i < cells; ++i)
        grid[i] = static_cast<std::uint8_t>(result[i] >> 16);
    return to_line(grid);
}

}  // namespace

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

namespace {

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
    std::printf("puzzle %zu%*s%s after %s\n", number, static_cast<int>(20 - std::to_string(number).size()), "",
                std::string(to_string(static_cast<Outcome>(result[cells]))).c_str(),
                count_of(result[cells + 1], "pass", "es").c_str());
    std::vector<std::string> const given = board_rows(puzzle);
    std::vector<std::string> const concluded = board_rows(grid_line(result));
    for (std::size_t row = 0; row < given.size(); ++row)
        std::printf("%s      %s\n", given[row].c_str(), concluded[row].c_str());
    std::printf("\n");
}

}  // namespace

void print(Job const& job, std::vector<bench::UnitResult> const& results, std::uint64_t const show) {
    if (job.workload.base != RuleBase::sudoku) {
        std::printf("%s, %s with a result\n", count_of(results.size(), "state").c_str(),
                    count_of(values_with_result(results), "value").c_str());
        return;
    }
    for (std::size_t const i : shown_puzzles(results, show))
        print_board(to_line(puzzle_of(job, i)), results[i], i + 1);
    Outcomes outcomes = outcomes_of(results);
    std::printf("%s", count_of(results.size(), "puzzle").c_str());
    for (Outcome const outcome : outcomes_in_order)
        std::printf(", %zu %s", outcomes.counts[outcome], std::string(to_string(outcome)).c_str());
    bool const counts_activity = job.workload.until == Until::activity;
    std::printf("; at most %s changed %s\n", count_of(outcomes.max_passes, "pass", "es").c_str(),
                counts_activity ? "which instances are active" : "a puzzle");
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

}  // namespace lockstep::rule_interpreter
