#pragma once
// The systems of the experiment, embedded in the program: the paper's tree_merge_sort (Listing 7) and
// transformation_tree (Listing 8), and our systems, which workload.hpp lists. Their texts are in
// experiments/term_rewriting/systems/.

#include <string>

#include "common/term_rewriting/language/system.hpp"

namespace lockstep::term_rewriting {

// Throws bench::Error if the name is unknown.
System paper_system(std::string const& name);

}  // namespace lockstep::term_rewriting
