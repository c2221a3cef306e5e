#include "harness/bench/interrupt.hpp"

#include <csignal>

namespace lockstep::bench {

namespace {

volatile std::sig_atomic_t requested = 0;
using Handler = void (*)(int);
Handler former_interrupt = SIG_DFL;
Handler former_terminate = SIG_DFL;

void note_signal(int const signal) {
    requested = 1;
    std::signal(signal, SIG_DFL);
}

}  // namespace

InterruptScope::InterruptScope() {
    requested = 0;
    former_interrupt = std::signal(SIGINT, note_signal);
    former_terminate = std::signal(SIGTERM, note_signal);
}

InterruptScope::~InterruptScope() {
    std::signal(SIGINT, former_interrupt);
    std::signal(SIGTERM, former_terminate);
}

bool interrupt_requested() { return requested != 0; }

}  // namespace lockstep::bench
