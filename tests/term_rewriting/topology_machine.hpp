#pragma once
// The machine that a program of the topology tests is for.

#include <string>

#include "harness/simt/machine.hpp"

namespace lockstep::term_rewriting {

simt::Machine machine_under_test();

// Why it cannot be tested here; empty where it can.
std::string reason_to_skip();

}  // namespace lockstep::term_rewriting
