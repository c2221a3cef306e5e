#pragma once
// What nvcc moves behind a predicated EXIT, for machine_model.hpp.

#include "harness/simt/hooks/machine_graph.hpp"

namespace lockstep::simt::hooks {

// Whether the predicated side of the row is behind the EXIT that ends the row. What only loads directly before an early
// return is, because lanes that exit do not need it. So is all of a side with the condition under which lanes stay. A
// side is taken for one if as many warps and lanes execute it as stay.
bool moves_behind_exit(MachineGraph const& graph, Node const& side, Node const& row);

// Of the row's lanes, those that do not exit at its end.
Executed const& behind_exit(MachineGraph const& graph, Node const& row);

}  // namespace lockstep::simt::hooks
