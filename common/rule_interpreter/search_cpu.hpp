#pragma once
// Counts the solutions of Sudoku puzzles on the CPU, by search on bit boards (bit_search.hpp).

#include <cstdint>
#include <span>
#include <vector>

#include "common/rule_interpreter/sudoku.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::rule_interpreter::cpu {

struct Solutions {
    std::uint64_t count = 0;  // up to the limit
    Puzzle solution{};        // the first that was found; all 0 if there is none
    std::uint64_t guesses = 0;
};

Solutions count_solutions(Puzzle const& puzzle, std::uint64_t limit);

// The same for many puzzles, on all cores.
std::vector<Solutions> count_all_solutions(std::span<Puzzle const> puzzles, std::uint64_t limit);

// The result of a unit of the rule base `search`: the number of solutions, then the digits of the only one, four per
// word, or 0 if there is no such.
inline constexpr unsigned words_of_search = 1 + (cells + 3) / 4;
bench::UnitResult words_of(Solutions const& found);

// Generated puzzles with one solution, from which no clue can be removed: a generated grid loses its clues in the order
// of the generator, except for those without which there are several solutions. Computed on all cores.
std::vector<Puzzle> minimal_puzzles(std::uint64_t seed, std::uint64_t count);

}  // namespace lockstep::rule_interpreter::cpu
