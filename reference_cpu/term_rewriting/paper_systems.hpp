#pragma once
// The systems of the paper's appendix, embedded in the program: tree_merge_sort (Listing 7) and transformation_tree
// (Listing 8). Their texts are experiments/term_rewriting/systems/*.trs.

#include <string>

#include "reference_cpu/term_rewriting/system.hpp"

namespace lockstep::term_rewriting {

// Throws bench::Error for another name.
System paper_system(std::string const& name);

}  // namespace lockstep::term_rewriting
