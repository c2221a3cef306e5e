#pragma once
// The jumps at the ends of sides of branches, for machine_model.hpp.

#include "harness/simt/hooks/machine_graph.hpp"

namespace lockstep::simt::hooks {

// Of the sides of branches that lead to the same place, and there forward, the last falls through. The others jump,
// which counts as a branch.
void add_jumps(MachineGraph& graph);

}  // namespace lockstep::simt::hooks
