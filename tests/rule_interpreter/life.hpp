#pragma once
// Conway's Game of Life as a rule base for the interpreter: one rule whose instances load each other's values, with
// states that become stable, states that oscillate, and states that do neither for long.

#include <string>
#include <vector>

#include "common/rule_interpreter/choices.hpp"

namespace lockstep::rule_interpreter::tests {

inline constexpr unsigned life_side = 17;  // a torus of 289 cells: not a multiple of a warp
inline constexpr unsigned life_cells = life_side * life_side;

struct LifeResult {
    std::vector<unsigned> cells;        // state after state
    std::vector<unsigned> last_change;  // per state: the last pass that changed it
    std::vector<unsigned> periods;      // per state, with Until::cycle: the length of its oscillation
};

// `cells` holds the initial states, 0 or 1, state after state. `team` is thread, warp, block, queue, algorithm3,
// cached or cached_block.
namespace emulator {
LifeResult run_life(std::string const& team, std::vector<unsigned> const& cells, unsigned bound, Until until);
}
namespace cuda {
LifeResult run_life(std::string const& team, std::vector<unsigned> const& cells, unsigned bound, Until until);
}

// Both are for the tested machine. why_no_life_here() returns an empty string if the tests can run, else the reason.
LifeResult run_life(std::string const& team, std::vector<unsigned> const& cells, unsigned bound, Until until);
std::string why_no_life_here();

}  // namespace lockstep::rule_interpreter::tests
