#pragma once
// Conway's Game of Life as a rule base of its own, to show what the interpreter takes: one rule whose instances load
// one another, and states that come to rest, or never do.

#include <string>
#include <vector>

namespace lockstep::rule_interpreter::tests {

inline constexpr unsigned life_side = 9;  // a torus of 81 cells: no multiple of a warp
inline constexpr unsigned life_cells = life_side * life_side;

struct LifeResult {
    std::vector<unsigned> cells;        // state after state
    std::vector<unsigned> last_change;  // of each state: the last pass that changed it
};

// `cells` are the states at the start, 0 or 1, state after state. `team` is thread, warp, block, queue or
// algorithm3.
namespace emulator {
LifeResult run_life(std::string const& team, std::vector<unsigned> const& cells, unsigned bound, bool until_activity);
}
namespace cuda {
LifeResult run_life(std::string const& team, std::vector<unsigned> const& cells, unsigned bound, bool until_activity);
}

// On the machine that this program tests; and empty where that can be, else why not.
LifeResult run_life(std::string const& team, std::vector<unsigned> const& cells, unsigned bound, bool until_activity);
std::string why_no_life_here();

}  // namespace lockstep::rule_interpreter::tests
