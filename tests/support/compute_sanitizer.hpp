#pragma once
// Under compute-sanitizer, launches take milliseconds and kernels a hundred times as long, so tests that would take
// minutes have smaller sizes of the same kinds. tests/sanitizers also runs them at these sizes without a tool.

#include <cstdlib>

namespace lockstep::tests {

inline bool under_compute_sanitizer() {
    static bool const is_set = std::getenv("LOCKSTEP_COMPUTE_SANITIZER") != nullptr;
    return is_set;
}

}  // namespace lockstep::tests
