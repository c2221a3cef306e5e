#pragma once
// The experiment's workloads as systems that `lockstep rewrite` accepts instead of a file: @tree_merge_sort,depth=14.

#include <string>

#include "common/term_rewriting/language/system.hpp"

namespace lockstep::term_rewriting {

// Returns true if the text names a workload, that is, if it begins with @.
bool names_workload(std::string const& text);

// Returns the system with the workload's term as its only input. After the system's name, the text gives axes and the
// seed as name=value; the others have their defaults, and the default seed is 1. Throws bench::Error for an unknown
// system, axis or value.
System named_workload(std::string const& text);

}  // namespace lockstep::term_rewriting
