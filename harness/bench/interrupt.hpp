#pragma once
// Signals that end a program: SIGINT, SIGTERM, SIGHUP and SIGPIPE. They end its background work and remove scratch
// files before they end it, and the first one within a run ends the run only after the interrupted case. The exit code
// is 128 + signal.

#include <signal.h>

namespace lockstep::bench {

// Signals end the program, without scratch files. Signals that the parent process ignores (nohup) stay ignored. A write
// beyond the limit of file sizes is an error of the write and does not end the program.
void handle_ending_signals();

// During its lifetime, an ending signal sets a flag, and only the second one ends the program. The destructor restores
// the previous handlers.
class InterruptScope {
public:
    InterruptScope();
    ~InterruptScope();
    InterruptScope(InterruptScope const&) = delete;
    InterruptScope& operator=(InterruptScope const&) = delete;
};

// During its lifetime, ending signals of this thread wait.
class SignalsWait {
public:
    SignalsWait();
    ~SignalsWait();
    SignalsWait(SignalsWait const&) = delete;
    SignalsWait& operator=(SignalsWait const&) = delete;

private:
    sigset_t before_;
};

// The signal that arrived within the current scope, or 0.
int interrupting_signal();

// Returns true if a signal has arrived within the current scope.
inline bool interrupt_requested() { return interrupting_signal() != 0; }

}  // namespace lockstep::bench
