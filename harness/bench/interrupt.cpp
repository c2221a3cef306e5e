#include "harness/bench/interrupt.hpp"

#include <array>
#include <atomic>
#include <csignal>

#include "harness/bench/background_groups.hpp"
#include "harness/bench/scratch_registry.hpp"

namespace lockstep::bench {

namespace {

constexpr std::array ending_signals = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};

std::atomic<int> requested = 0;
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler writes it");
using Handler = void (*)(int);
std::array<struct sigaction, ending_signals.size()> handlers_before;

struct sigaction action_of(Handler const handler) {
    struct sigaction action {};
    action.sa_handler = handler;
    // System calls continue: the program reads the flag, so no call needs to fail.
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    return action;
}

// Ends the process by the same signal, so that its parent sees the reason.
void end_process(int const signal) {
    end_background_groups();
    remove_scratch_files();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

void note_signal(int const signal) {
    // A run prints after SIGPIPE, too: only a second signal of another kind is somebody's wish.
    if (requested != 0 && signal != SIGPIPE)
        end_process(signal);
    else if (requested == 0)
        requested = signal;
}

// Replaces the handler unless the signal is ignored.
void set_handler(int const signal, Handler const handler) {
    struct sigaction present {};
    struct sigaction const wanted = action_of(handler);
    if (::sigaction(signal, nullptr, &present) == 0 && present.sa_handler != SIG_IGN)
        ::sigaction(signal, &wanted, nullptr);
}

}  // namespace

void handle_ending_signals() {
    for (int const signal : ending_signals)
        set_handler(signal, end_process);
    // A handler instead of SIG_IGN, because programs that this one starts inherit SIG_IGN.
    set_handler(SIGXFSZ, [](int) {});
}

InterruptScope::InterruptScope() {
    requested = 0;
    for (std::size_t i = 0; i < ending_signals.size(); ++i) {
        ::sigaction(ending_signals[i], nullptr, &handlers_before[i]);
        set_handler(ending_signals[i], note_signal);
    }
}

InterruptScope::~InterruptScope() {
    for (std::size_t i = 0; i < ending_signals.size(); ++i)
        ::sigaction(ending_signals[i], &handlers_before[i], nullptr);
}

SignalsWait::SignalsWait() {
    sigset_t ending;
    sigemptyset(&ending);
    for (int const signal : ending_signals)
        sigaddset(&ending, signal);
    ::pthread_sigmask(SIG_BLOCK, &ending, &before_);
}

SignalsWait::~SignalsWait() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

int interrupting_signal() { return requested; }

}  // namespace lockstep::bench
