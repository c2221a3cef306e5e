#pragma once
// Compiles the code of all cases of a run on all cores before the first case runs. Otherwise, each case would compile
// its own on one core.

#include <vector>

#include "harness/bench/plan.hpp"

namespace lockstep::bench {

// The code of these cases, each text once. Leaves out cases that do not run, and cases whose code cannot be named: they
// report the reason when they run.
std::vector<Compilation> compilations_of(std::vector<PlannedCase const*> const& cases);

// Ends early if an interrupt is requested. A failure is ignored here: the case of this code meets it again.
void compile_ahead(std::vector<Compilation> const& compilations, Shard const& shard);

}  // namespace lockstep::bench
