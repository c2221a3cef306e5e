#include "tests/random_grids/variants.hpp"

namespace lockstep::random_grids::tests {

std::vector<bench::Machine> machines_under_test() { return {bench::Machine::cpu, bench::Machine::emulator}; }

std::string why_not_here() { return ""; }

}  // namespace lockstep::random_grids::tests
