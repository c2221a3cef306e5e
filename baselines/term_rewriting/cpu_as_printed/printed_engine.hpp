#pragma once
// The CPU rewriter as the paper prints it, as an engine: the arrays that the generated text works on, a stack that is
// as deep as the memory limit allows, and limits.

#include <memory>

#include "common/term_rewriting/engine.hpp"

namespace lockstep::term_rewriting {

// Throws bench::Error where there is no C++ compiler. A term too deep for its memory ends as out of memory.
std::unique_ptr<Engine> make_printed_engine(System const& system);

}  // namespace lockstep::term_rewriting
