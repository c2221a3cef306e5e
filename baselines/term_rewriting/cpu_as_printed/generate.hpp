#pragma once
// The CPU rewriter as the paper prints it, generated from a system: Listing 2's recursive derive(), one rewrite
// function per head symbol with the rules tried in order by the nested tests of Listing 5, and right sides built over
// the arrays of Section 3. "The same rewrite functions are used" for CPU and GPU (Section 4), so it counts references,
// shares equal subterms of a right side, and copies what a rule leaves into the redex; without atomics, and with an
// index free as soon as its last reference goes.

#include <string>

#include "common/term_rewriting/language/system.hpp"

namespace lockstep::term_rewriting::cpu_as_printed {

// A complete C++17 text that includes nothing. Conditions, which the paper does not have, are derived and compared in
// place.
std::string generate(System const& system);

}  // namespace lockstep::term_rewriting::cpu_as_printed
