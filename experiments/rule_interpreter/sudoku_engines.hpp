#pragma once
// Where `lockstep sudoku` searches. The CPU starts at once; the GPU takes the rest of the puzzles if the CPU would need
// clearly longer for them than the GPU needs to start.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "common/rule_interpreter/search_cpu.hpp"

namespace lockstep::rule_interpreter {

using SearchEngine = std::function<std::vector<cpu::Solutions>(std::span<Puzzle const> puzzles, std::uint64_t limit)>;

struct Searched {
    std::vector<cpu::Solutions> solutions;  // per puzzle
    std::string machine;                    // "cpu", "emulator", "cuda", or "cpu and cuda"
};

// What search_together() uses, so that tests can replace it.
struct SearchEngines {
    SearchEngine on_cpu;
    SearchEngine on_gpu;
    std::function<bool()> has_gpu;
    std::function<double()> seconds;  // a clock
};

// Time that a process needs to open the GPU, move puzzles there and solutions back: about 0.4 s. A rest that takes the
// CPU no longer stays there.
inline constexpr double gpu_start_seconds = 0.5;
inline constexpr std::size_t puzzles_per_look = 16384;

Searched search_together(std::span<Puzzle const> puzzles, std::uint64_t limit, SearchEngines const& engines);

// `machine`: auto, cpu, emulator or cuda. Throws bench::Error if it does not exist.
Searched search_on(std::string const& machine, std::span<Puzzle const> puzzles, std::uint64_t limit);

}  // namespace lockstep::rule_interpreter
