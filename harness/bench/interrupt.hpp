#pragma once
// Ctrl-C ends a run after the case it interrupts; a second one ends the program at once.

namespace lockstep::bench {

// While it lives, SIGINT and SIGTERM set a flag. Destruction puts the former handlers back.
class InterruptScope {
public:
    InterruptScope();
    ~InterruptScope();
    InterruptScope(InterruptScope const&) = delete;
    InterruptScope& operator=(InterruptScope const&) = delete;
};

// True once a signal came within the present scope.
bool interrupt_requested();

}  // namespace lockstep::bench
