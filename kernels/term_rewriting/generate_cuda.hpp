#pragma once
// A system as CUDA C++: one step of rewriting a symbol, over any store of terms, matched by the same decision trees as
// on the CPU. The text is complete for NVRTC with the embedded device headers, and compiles with the host's compiler
// for the emulator (`#define LOCKSTEP_EMULATOR 1` before it).
//
// A store has terms numbered by `unsigned` and offers
//   unsigned symbol(unsigned term), unsigned argument(unsigned term, unsigned i)
//   unsigned make<count>(unsigned symbol, unsigned const (&arguments)[count])      a new term, not known to be normal
//   unsigned make(unsigned symbol)                                                  the same without arguments
//   void become<count>(unsigned term, unsigned symbol, unsigned const (&)[count])   the term is now that one; also
//   without void become_copy(unsigned term, unsigned other)                                 the term is now a copy of a
//   normal one void become_stuck<count>(unsigned term, unsigned symbol, unsigned const (&)[count])   as become(); no
//   rule fits it bool equal(unsigned left, unsigned right)                                       normal forms, as trees
//   void count(unsigned rule)
//
// rewrite_step(store, term) is called for a term whose arguments are normal; it rewrites once and returns true, or
// returns false where no rule fits. Conditions become helper symbols, numbered from the system's symbols on: f(p) ->
// helper(left, right, p); a step of the helper compares and either applies the rule or tries those after it. Helper
// steps count nothing.

#include <string>

#include "reference_cpu/term_rewriting/system.hpp"

namespace lockstep::term_rewriting {

// The steps stand in namespace lockstep::term_rewriting::<name>::<machine>, so that one program may hold several
// systems.
std::string generate_cuda(System const& system, std::string const& name = "generated");

}  // namespace lockstep::term_rewriting
