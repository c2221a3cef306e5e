#pragma once
// The first Ctrl-C ends a run after the interrupted case; the second ends the program immediately.

namespace lockstep::bench {

// During its lifetime, SIGINT and SIGTERM set a flag. The destructor restores the previous handlers.
class InterruptScope {
public:
    InterruptScope();
    ~InterruptScope();
    InterruptScope(InterruptScope const&) = delete;
    InterruptScope& operator=(InterruptScope const&) = delete;
};

// Returns true if a signal has arrived within the current scope.
bool interrupt_requested();

}  // namespace lockstep::bench
