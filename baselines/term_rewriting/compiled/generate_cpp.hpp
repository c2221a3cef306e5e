#pragma once
// A system as C++ for the CPU: one function per defined symbol, which matches by decision trees. The text is complete.
// It starts with abi.hpp and includes nothing, so any C++17 compiler of the machine makes a shared object of it.

#include <string>

#include "common/term_rewriting/language/system.hpp"

namespace lockstep::term_rewriting::compiled {

// `parallel`: arguments with work that the text does not bound are offered to other workers. `packed`: terms without a
// word for their head, where the system has few enough symbols.
std::string generate_cpp(System const& system, bool parallel, bool packed = true);

}  // namespace lockstep::term_rewriting::compiled
