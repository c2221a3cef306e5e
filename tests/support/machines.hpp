#pragma once
// The machines that a test program tests: the same test sources are built for the CPU and the emulator and, in another
// program, for the GPU.

#include <string>
#include <vector>

#include "harness/bench/variant.hpp"

namespace lockstep::tests {

// The machines that this program tests.
std::vector<bench::Machine> machines_under_test();

// The machine under test that runs kernels.
inline simt::Machine kernel_machine() { return machines_under_test().back(); }

// Returns an empty string if the machines are available here, otherwise the reason why not.
std::string why_not_here();

// The variants on those machines.
std::vector<bench::Variant const*> variants_under_test(bench::Experiment const& experiment);

// Returns the variant's name and machine, such as "warpwise_emulator".
std::string test_name(bench::Variant const& variant);

}  // namespace lockstep::tests
