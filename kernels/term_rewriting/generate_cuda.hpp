#pragma once
// A system as CUDA C++: one step of rewriting a symbol, over any store of terms, matched by the same decision trees as
// on the CPU. The text is complete for NVRTC with the embedded device headers, and compiles with the host's compiler
// for the emulator (`#define LOCKSTEP_EMULATOR 1` before it).
//
// A store has terms numbered by `unsigned` and offers, `As` being `unsigned const (&)[count]`, left out with no
// arguments:
//   unsigned symbol(unsigned term), unsigned argument(unsigned term, unsigned i)
//   bool reserve<count>()            room for so many new terms, before anything is changed; false: put the step off
//   unsigned make(unsigned symbol, unsigned references, As)   a new term, not known to be normal, named so many times
//   void refer(unsigned term, unsigned times)                 a term of the left side is named so many times more
//   void drop(unsigned term)                                  the rewritten term no longer names it
//   void become(unsigned term, unsigned symbol, As)           the term is now that one
//   void become_stuck(unsigned term, unsigned symbol, As)     as become(); no rule fits it
//   void become_copy(unsigned term, unsigned other)           the term is now a copy of a normal one
//   bool compare(unsigned left, unsigned right, bool& equal)  normal forms, as trees; false: put the step off
//   void count(unsigned rule)
//
// rewrite_step(store, term) is called for a term whose arguments are normal; it rewrites once (or is put off) and
// returns true, or returns false where no rule fits. Arguments of the rewritten term are dropped after what replaces
// them was referred to. Conditions become helper symbols, numbered from the system's symbols on: f(p) -> helper(left,
// right, p); a step of the helper compares and either applies the rule or tries those after it. Helper steps count
// nothing.

#include <string>

#include "common/term_rewriting/language/system.hpp"

namespace lockstep::term_rewriting {

struct StepOptions {
    // The steps stand in namespace lockstep::term_rewriting::<name>::<machine>, so that one program may hold several
    // systems.
    std::string name = "generated";
    // Rules tried one after the other by nested tests (Listing 5), in place of decision trees.
    bool in_order = false;
    // A variable that the right side names as often as the left leaves its count alone: refer() and drop() cancel.
    bool net_references = false;
};

std::string generate_cuda(System const& system, StepOptions const& options = {});

// Of the system's symbols and helpers: how many, and the largest arity.
std::size_t symbols_and_helpers(System const& system);
std::size_t largest_arity(System const& system);

}  // namespace lockstep::term_rewriting
