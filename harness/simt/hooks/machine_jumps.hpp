#pragma once
// The jumps at the ends of sides of branches, for machine_model.hpp.

#include "harness/simt/hooks/machine_graph.hpp"

namespace lockstep::simt::hooks {

// If several sides of branches lead forward to the same block, the last one falls through. The others jump, which
// counts as a branch.
void add_jumps(MachineGraph& graph);

}  // namespace lockstep::simt::hooks
