#pragma once
// Limits of compilation at run time. They are here and not in harness/bench/limits/, because they need harness/jit/.

#include <vector>

#include "harness/bench/limits/limit.hpp"

namespace lockstep::limits::cuda {

// The time in which NVRTC compiles a small kernel, and the time in which the driver loads its machine code. The host
// does this work, so the limits' machine is cpu, but they need a GPU.
std::vector<Limit> compile_limits();

}  // namespace lockstep::limits::cuda
