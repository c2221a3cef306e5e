#pragma once
// Sudoku as a rule base: grids of 9 x 9 cells, from a seeded generator or from lines of 81 characters, and the
// conclusions of the rules. No rule guesses, so hard grids remain unfinished.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/simt/kernel.hpp"

namespace lockstep::rule_interpreter {

inline constexpr unsigned cells = 81;
inline constexpr unsigned cell_groups = 27;               // 9 rows, 9 columns, 9 boxes
inline constexpr unsigned unit_digits = cell_groups * 9;  // instances of the rule `positions`
inline constexpr unsigned all_digits = 0x1FF;             // digit d is bit d - 1
inline constexpr unsigned nothing_written = ~0u;          // in the column of deferred writes

// Digits of the cells, row by row; 0 is empty.
using Puzzle = std::array<std::uint8_t, cells>;

// Cell at `position` (0..8) of a unit: units 0..8 are rows, 9..17 columns, 18..26 boxes.
__host__ __device__ constexpr unsigned cell_of(unsigned unit, unsigned position) {
    unsigned const number = unit % 9;
    if (unit < 9)
        return number * 9 + position;
    if (unit < 18)
        return position * 9 + number;
    return (number / 3 * 3 + position / 3) * 9 + number % 3 * 3 + position % 3;
}
__host__ __device__ constexpr unsigned row_of(unsigned cell) { return cell / 9; }
__host__ __device__ constexpr unsigned column_of(unsigned cell) { return cell % 9; }
__host__ __device__ constexpr unsigned box_of(unsigned cell) { return cell / 27 * 3 + cell % 9 / 3; }

// Returns a valid grid with `clues` cells (0 to 81) shown: the cyclic grid with its digits, rows, columns, bands and
// stacks shuffled by the stream for (seed, number).
Puzzle generated_puzzle(std::uint64_t seed, std::uint64_t number, unsigned clues);

// Parses one line of 81 characters, `.` or `0` for empty. Throws bench::Error that names the problem, without the
// line's number.
Puzzle parse_puzzle(std::string_view line);

// The puzzles of a file, one per line; empty lines and lines that begin with # are skipped.
struct PuzzleFile {
    std::vector<Puzzle> puzzles;
    std::vector<std::size_t> lines;   // line number of each puzzle, from 1
    std::vector<std::string> errors;  // for each of the first 100 invalid lines: its number and the problem
    std::size_t invalid_lines = 0;
};

// Throws bench::Error if the file cannot be read.
PuzzleFile read_puzzles(std::string const& path);

// Returns 81 characters, `.` for empty.
std::string to_line(Puzzle const& puzzle);

// `bound`: the limit on passes was reached.
enum class Outcome : std::uint32_t { unfinished, solved, contradiction, bound };
std::string_view to_string(Outcome outcome);

// Conclusion of the rules. A word holds a cell's candidates in bits 0..8 and its placed digit (0: none) in bits 16..19.
struct Conclusion {
    std::array<std::uint32_t, cells> words{};
    Outcome outcome = Outcome::unfinished;
    // Number of passes that changed the state. With Until::activity: that changed which instances are active.
    std::uint32_t passes = 0;
    std::uint32_t period = 0;  // Until::cycle: length of the oscillation; 1: a fixed point; 0: the passes ran out
};

// Returns solved, contradiction or unfinished, from the cells only.
Outcome outcome_of(std::array<std::uint32_t, cells> const& words);
// The same, but `bound` if the passes ran out before anything was certain: further passes change neither a solution nor
// a contradiction.
Outcome outcome_after(std::array<std::uint32_t, cells> const& words, bool settled);

}  // namespace lockstep::rule_interpreter
