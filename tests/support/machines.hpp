#pragma once
// One source of tests serves the CPU with the emulator and, in another program, the GPU.

#include <string>
#include <vector>

#include "harness/bench/variant.hpp"

namespace lockstep::tests {

// The machines that this program tests.
std::vector<bench::Machine> machines_under_test();

// Of these the one that runs kernels.
inline simt::Machine kernel_machine() { return machines_under_test().back(); }

// Empty where they can run here, else why not.
std::string why_not_here();

// The variants on those machines.
std::vector<bench::Variant const*> variants_under_test(bench::Experiment const& experiment);

// "warpwise_emulator"
std::string test_name(bench::Variant const& variant);

}  // namespace lockstep::tests
