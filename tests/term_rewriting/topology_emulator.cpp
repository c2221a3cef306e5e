#include "tests/term_rewriting/topology_machine.hpp"

namespace lockstep::term_rewriting {

simt::Machine machine_under_test() { return simt::Machine::emulator; }
std::string reason_to_skip() { return ""; }

}  // namespace lockstep::term_rewriting
