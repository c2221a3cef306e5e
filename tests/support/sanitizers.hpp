#pragma once
// Where accesses are slow, tests that would take minutes have smaller sizes of the same kinds.

#include <cstdlib>

namespace lockstep::tests {

// ThreadSanitizer follows every access of a lane: the emulator takes about 50 times as long.
#if defined(LOCKSTEP_THREAD_SANITIZER)
inline constexpr bool under_thread_sanitizer = true;
#else
inline constexpr bool under_thread_sanitizer = false;
#endif

#if defined(LOCKSTEP_ADDRESS_SANITIZER)
inline constexpr bool under_address_sanitizer = true;
#else
inline constexpr bool under_address_sanitizer = false;
#endif

// Either of the compiler's sanitizers.
inline constexpr bool sanitized = under_thread_sanitizer || under_address_sanitizer;

// Under compute-sanitizer, launches take milliseconds and kernels a hundred times as long. tests/sanitizers also runs
// the tests at these sizes without a tool.
inline bool under_compute_sanitizer() {
    static bool const is_set = std::getenv("LOCKSTEP_COMPUTE_SANITIZER") != nullptr;
    return is_set;
}

inline bool accesses_are_slow() { return under_thread_sanitizer || under_compute_sanitizer(); }

}  // namespace lockstep::tests
