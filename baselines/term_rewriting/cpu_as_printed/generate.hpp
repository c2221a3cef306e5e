#pragma once
// Generates the CPU rewriter as the paper prints it from a system: Listing 2's recursive derive(), one rewrite
// function per head symbol with the rules tried in order by the nested tests of Listing 5, and right sides built over
// the arrays of Section 3. "The same rewrite functions are used" for CPU and GPU (Section 4), so it counts references,
// shares equal subterms of a right side, and copies the result of a rule into the redex. It uses no atomics, and frees
// an index as soon as the last reference to it is removed.

#include <string>

#include "common/term_rewriting/language/system.hpp"

namespace lockstep::term_rewriting::cpu_as_printed {

// Returns a complete C++17 text without includes. Conditions, which the paper does not have, are derived and compared
// inline.
std::string generate(System const& system);

}  // namespace lockstep::term_rewriting::cpu_as_printed
