#include "tests/support/machines.hpp"

namespace lockstep::tests {

std::vector<bench::Machine> machines_under_test() { return {bench::Machine::cpu, bench::Machine::emulator}; }

std::string why_not_here() { return ""; }

}  // namespace lockstep::tests
