#include "tests/rule_interpreter/life.hpp"

namespace lockstep::rule_interpreter::tests {

std::string why_no_life_here() { return ""; }

LifeResult run_life(std::string const& team, std::vector<unsigned> const& cells, unsigned bound, Until until) {
    return emulator::run_life(team, cells, bound, until);
}

}  // namespace lockstep::rule_interpreter::tests
