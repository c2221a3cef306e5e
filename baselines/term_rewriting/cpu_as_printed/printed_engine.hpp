#pragma once
// An engine around the CPU rewriter as the paper prints it: the arrays that the generated text works on, a stack as
// large as the memory limit, and limits.

#include <memory>

#include "common/term_rewriting/engine.hpp"

namespace lockstep::term_rewriting {

// Throws bench::Error if there is no C++ compiler. A term that is too deep for the stack ends the run as out of memory.
std::unique_ptr<Engine> make_printed_engine(System const& system);

}  // namespace lockstep::term_rewriting
