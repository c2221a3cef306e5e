#pragma once
// Accesses outside of a column on the CPU: an index that the specification refuses, and a fault of the loops, which do
// not check indices.

#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <string>

#include "common/rule_interpreter/rule_file/arguments.hpp"
#include "common/rule_interpreter/rule_file/rule_file.hpp"
#include "harness/bench/error.hpp"

namespace lockstep::rule_interpreter::rule_file {

// What the compiled rules know. The first value of a column in a state tells which column and which state.
struct OutsideIndex {
    void const* values;
    std::uint64_t index;
    unsigned line;
};

[[noreturn]] inline void throw_outside_index(void const* values, unsigned long long index, unsigned line) {
    throw OutsideIndex{values, index, line};
}

// In the words of the emulator (language.hpp).
inline bench::Error error_of(OutsideIndex const& outside, RuleFile const& file, Arguments const& a) {
    auto const at = reinterpret_cast<std::uintptr_t>(outside.values);
    std::string why = "index outside the column: ";
    for (std::size_t i = 0; i < file.columns.size(); ++i) {
        auto const begin = reinterpret_cast<std::uintptr_t>(a.columns[i]);
        std::uint64_t const bytes = a.sizes[i] * bytes_of(file.columns[i].type);  // of a state
        if (at < begin || at - begin >= a.states * bytes)
            continue;
        why += file.columns[i].name + " has " + std::to_string(a.sizes[i]) + " values, and the index is " +
               std::to_string(static_cast<std::int64_t>(outside.index)) + "; in state " +
               std::to_string(a.first_state + (at - begin) / bytes) + ", ";
    }
    return {"cannot run " + file.path, why + "at line " + std::to_string(outside.line), "Correct the rule file."};
}

// A signal that the rules raised: an address that is not mapped, a stack that is full, a division by zero.
struct Fault {
    int signal;
};

inline bench::Error error_of(Fault const& fault, RuleFile const& file) {
    if (fault.signal == SIGFPE || fault.signal == SIGILL)  // GCC compiles a division by a constant 0 as SIGILL
        return {"cannot run " + file.path, "a rule divides by zero, or the lowest integer by -1",
                "Test the divisor in the rule."};
    return {"cannot run " + file.path, "a rule reads or writes outside of its columns, or calls itself too deeply",
            "Add --check, which names the line of an index."};
}

// Where a thread goes on after a fault of the rules that it runs; else null.
inline thread_local sigjmp_buf* exit_of_rules = nullptr;

// Catches faults of rules, on all threads, as long as it exists. Signals that are sent, and faults outside of the
// rules, do what they did before.
class FaultHandlers {
public:
    FaultHandlers() {
        struct sigaction action {};
        action.sa_sigaction = leave;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;  // leave() may jump, so no signal must stay blocked
        sigemptyset(&action.sa_mask);
        for (int i = 0; i < 4; ++i)
            ::sigaction(signals[i], &action, &before[i]);
    }
    FaultHandlers(FaultHandlers const&) = delete;
    FaultHandlers& operator=(FaultHandlers const&) = delete;
    ~FaultHandlers() { release(); }

private:
    static constexpr int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    inline static struct sigaction before[4];

    static void release() {
        for (int i = 0; i < 4; ++i)
            ::sigaction(signals[i], &before[i], nullptr);
    }

    static void leave(int signal, siginfo_t* info, void*) {
        bool const sent = info->si_code <= 0;
        if (!sent && exit_of_rules != nullptr)
            siglongjmp(*exit_of_rules, signal);
        release();
        if (sent)
            ::raise(signal);  // otherwise the instruction is repeated
    }
};

// The stack of a thread's handler, since the fault may be that its own is full.
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

// Calls work(), which calls the rules. Throws Fault, and what work() throws. Precondition: FaultHandlers exist, and
// work() has nothing to destroy while it is in the rules.
template <class Work>
void catching_faults(Work const& work) {
    struct Exit {
        ~Exit() { exit_of_rules = nullptr; }
    };
    HandlerStack const stack;
    Exit const reset;
    sigjmp_buf exit;
    if (int const signal = sigsetjmp(exit, 0); signal != 0)
        throw Fault{signal};
    exit_of_rules = &exit;
    work();
}

}  // namespace lockstep::rule_interpreter::rule_file
