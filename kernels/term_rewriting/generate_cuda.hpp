#pragma once
// Generates CUDA C++ for a system: one rewriting step per symbol, over any store of terms, matched by the same decision
// trees as on the CPU. NVRTC compiles the text with the embedded device headers. The host's compiler compiles it for
// the emulator (with `#define LOCKSTEP_EMULATOR 1` before it).
//
// A store numbers terms by `unsigned` and has the following members. `As` is `unsigned const (&)[count]` and is omitted
// if there are no arguments:
//   unsigned symbol(unsigned term), unsigned argument(unsigned term, unsigned i)
//   bool reserve<count>()            room for `count` new terms, before any change; false: postpone the step
//   unsigned make(unsigned symbol, unsigned references, As)   a new term, not known to be normal
//   void refer(unsigned term, unsigned times)                 adds references to a term of the left side
//   void drop(unsigned term)                                  the rewritten term no longer refers to it
//   void become(unsigned term, unsigned symbol, As)           the term becomes symbol(As)
//   void become_stuck(unsigned term, unsigned symbol, As)     like become(), but no rule matches it
//   void become_copy(unsigned term, unsigned other)           the term becomes a copy of a normal one
//   bool compare(unsigned left, unsigned right, bool& equal)  compares normal forms as trees; false: postpone the step
//   void count(unsigned rule)                                 counts an application
//
// rewrite_step(store, term) is called for a term whose arguments are normal. It rewrites once (or postpones the step)
// and returns true, or returns false if no rule matches. References from the replacement are added before the arguments
// of the rewritten term are dropped. Conditions become helper symbols, whose numbers follow those of the system's
// symbols: f(p) -> helper(left, right, p). A step of the helper compares, and then applies the rule or tries the rules
// after it. Helper steps are not counted.

#include <string>

#include "common/term_rewriting/language/system.hpp"

namespace lockstep::term_rewriting {

struct StepOptions {
    // The steps are in namespace lockstep::term_rewriting::<name>::<machine>, so that one program can hold several
    // systems.
    std::string name = "generated";
    // Tries the rules in order with nested tests (Listing 5) instead of decision trees.
    bool in_order = false;
    // Applies only the net change to the reference count of an argument: one refer() and one drop() cancel.
    bool net_references = false;
};

std::string generate_cuda(System const& system, StepOptions const& options = {});

// Number of the system's symbols and helpers, and the largest arity among them.
std::size_t symbols_and_helpers(System const& system);
std::size_t largest_arity(System const& system);

}  // namespace lockstep::term_rewriting
