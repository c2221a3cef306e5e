#pragma once
// A stack for the signal handlers of a thread: the signal may be that the thread's own stack is full.

#include <csignal>

namespace lockstep::simt {

// Of the calling thread, during its lifetime.
class HandlerStack {
public:
    HandlerStack() {
        stack_t stack{};
        stack.ss_sp = bytes_;
        stack.ss_size = sizeof bytes_;
        ::sigaltstack(&stack, &before_);
    }
    HandlerStack(HandlerStack const&) = delete;
    HandlerStack& operator=(HandlerStack const&) = delete;
    ~HandlerStack() { ::sigaltstack(&before_, nullptr); }

private:
    alignas(16) char bytes_[32 * 1024];
    stack_t before_{};
};

}  // namespace lockstep::simt
