#pragma once
// Generates C++ for the CPU from a system: one function per defined symbol, which matches with a decision tree. The
// text starts with abi.hpp and has no includes, so any C++17 compiler can build it as a shared object.

#include <string>

#include "common/term_rewriting/language/system.hpp"

namespace lockstep::term_rewriting::compiled {

// `parallel`: offers arguments with unbounded work to other workers. `packed`: uses terms without a separate word for
// the head, if the system has few enough symbols.
std::string generate_cpp(System const& system, bool parallel, bool packed = true);

}  // namespace lockstep::term_rewriting::compiled
