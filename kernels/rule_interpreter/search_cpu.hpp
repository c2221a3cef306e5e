#pragma once
// Counts the solutions of Sudoku puzzles on the CPU, by search on bit boards (bit_search.hpp).

#include <cstdint>
#include <span>
#include <vector>

#include "common/rule_interpreter/sudoku.hpp"

namespace lockstep::rule_interpreter::cpu {

struct Solutions {
    std::uint64_t count = 0;  // up to the limit
    Puzzle solution{};        // the first that was found; all 0 if there is none
    std::uint64_t guesses = 0;
};

Solutions count_solutions(Puzzle const& puzzle, std::uint64_t limit);

// The same for many puzzles, on all cores.
std::vector<Solutions> count_all_solutions(std::span<Puzzle const> puzzles, std::uint64_t limit);

// Generated puzzles with one solution, from which no clue can be removed: a generated grid loses its clues in the order
// of the generator, except for those without which there are several solutions. Computed on all cores.
std::vector<Puzzle> minimal_puzzles(std::uint64_t seed, std::uint64_t count);

}  // namespace lockstep::rule_interpreter::cpu
