#include "tests/rule_interpreter/variants.hpp"

namespace lockstep::rule_interpreter::tests {

std::vector<bench::Machine> machines_under_test() { return {bench::Machine::cpu, bench::Machine::emulator}; }

std::string why_not_here() { return ""; }

}  // namespace lockstep::rule_interpreter::tests
