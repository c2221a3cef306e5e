#pragma once
// Counts the solutions of Sudoku puzzles by search on bit boards, on a GPU or in the emulator (search_boards.cu).

#include <cstdint>
#include <span>
#include <vector>

#include "common/rule_interpreter/search_cpu.hpp"

namespace lockstep::rule_interpreter {

namespace emulator {
std::vector<cpu::Solutions> count_all_solutions(std::span<Puzzle const> puzzles, std::uint64_t limit);
}
namespace cuda {
std::vector<cpu::Solutions> count_all_solutions(std::span<Puzzle const> puzzles, std::uint64_t limit);
}

}  // namespace lockstep::rule_interpreter
