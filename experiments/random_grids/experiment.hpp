#pragma once
// Experiment random_grids: Borsos' sets of exactly k out of N bits.

#include "harness/bench/variant.hpp"

namespace lockstep::random_grids {

bench::Experiment make_experiment();

// Adds every variant and reference, in the order of the CMake list. Generated.
void add_variants(bench::Experiment& experiment);

}  // namespace lockstep::random_grids
