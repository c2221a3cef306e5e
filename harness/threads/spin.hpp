#pragma once
// Waiting without sleep, for what happens within microseconds.

#include <chrono>
#include <thread>

namespace lockstep::threads {

// The first call decides: later, a stopwatch may have pinned the main thread, whose CPUs count.
bool is_on_one_cpu();

// Lets the other hardware thread of the core work.
inline void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

// Returns true as soon as done() is true, and false after `time`. On a single CPU, nothing can happen meanwhile. If all
// CPUs have a thread that spins, one of them lets the thread run that they wait for, or that waits for them.
template <class Done>
bool spin(std::chrono::microseconds time, Done const& done) {
    if (done() || is_on_one_cpu())
        return done();
    auto const end = std::chrono::steady_clock::now() + time;
    do {
        for (int i = 0; i < 64; ++i) {
            if (done())
                return true;
            pause();
        }
        std::this_thread::yield();
    } while (std::chrono::steady_clock::now() < end);
    return false;
}

}  // namespace lockstep::threads
