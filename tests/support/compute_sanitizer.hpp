#pragma once
// Under compute-sanitizer, launches take milliseconds and kernels a hundred times as long, so tests that would take
// minutes have smaller sizes of the same kinds. tests/sanitizers also runs them at these sizes without a tool.

#include <cstdlib>

namespace lockstep::tests {

inline bool under_compute_sanitizer() {
    static bool const is_set = std::getenv("LOCKSTEP_COMPUTE_SANITIZER") != nullptr;
    return is_set;
}

// Also under ThreadSanitizer, which follows every access of a lane.
inline bool accesses_are_slow() {
#if defined(__SANITIZE_THREAD__)
    return true;
#else
    return under_compute_sanitizer();
#endif
}

}  // namespace lockstep::tests
