#include "tests/object_layout/variants.hpp"

namespace lockstep::object_layout::tests {

std::vector<bench::Machine> machines_under_test() { return {bench::Machine::cpu, bench::Machine::emulator}; }

std::string why_not_here() { return ""; }

}  // namespace lockstep::object_layout::tests
