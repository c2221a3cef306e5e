#pragma once
// The experiment replications: warp-level parallelism for stochastic replications (Passerat-Palmbach et al. 2015).

#include "harness/bench/variant.hpp"

namespace lockstep::replications {

bench::Experiment make_experiment();

// Every variant and reference, in the order of the CMake list. Generated.
void add_variants(bench::Experiment& experiment);

}  // namespace lockstep::replications
