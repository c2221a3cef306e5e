#pragma once
// The experiment's workloads as systems that `lockstep rewrite` takes in place of a file: @tree_merge_sort,depth=14.

#include <string>

#include "common/term_rewriting/language/system.hpp"

namespace lockstep::term_rewriting {

// Whether the text names a workload: it begins with @.
bool names_workload(std::string const& text);

// The system with the workload's term as its one input. After the name the axes, and the seed, as name=value; what is
// not named has its default, the seed 1. Throws bench::Error for an unknown system, axis or value.
System named_workload(std::string const& text);

}  // namespace lockstep::term_rewriting
