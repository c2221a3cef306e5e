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

// The rules used an address that is not mapped.
struct Fault {};

inline bench::Error error_of(Fault, RuleFile const& file) {
    return {"cannot run " + file.path, "a rule reads or writes outside of its columns",
            "Add --check, which names the line."};
}

// Where a thread goes on after a fault of the rules that it runs; else null.
inline thread_local sigjmp_buf* exit_of_rules = nullptr;

// Catches faults of rules, on all threads, as long as it exists.
class FaultHandlers {
public:
    FaultHandlers() {
        struct sigaction action {};
        action.sa_handler = leave;
        action.sa_flags = SA_NODEFER;  // leave() does not return, so the signal must not stay blocked
        sigemptyset(&action.sa_mask);
        for (int i = 0; i < 2; ++i)
            ::sigaction(signals[i], &action, &before_[i]);
    }
    FaultHandlers(FaultHandlers const&) = delete;
    FaultHandlers& operator=(FaultHandlers const&) = delete;
    ~FaultHandlers() {
        for (int i = 0; i < 2; ++i)
            ::sigaction(signals[i], &before_[i], nullptr);
    }

private:
    static constexpr int signals[] = {SIGSEGV, SIGBUS};

    static void leave(int signal) {
        if (exit_of_rules != nullptr)
            siglongjmp(*exit_of_rules, 1);
        std::signal(signal, SIG_DFL);  // not of the rules: the instruction is repeated, and ends the program
    }

    struct sigaction before_[2];
};

// Calls work(), which calls the rules. Throws Fault. Precondition: FaultHandlers exist, and work() has nothing to
// destroy while it is in the rules.
template <class Work>
void catching_faults(Work const& work) {
    sigjmp_buf exit;
    if (sigsetjmp(exit, 0) != 0) {
        exit_of_rules = nullptr;
        throw Fault{};
    }
    exit_of_rules = &exit;
    work();
    exit_of_rules = nullptr;
}

}  // namespace lockstep::rule_interpreter::rule_file
