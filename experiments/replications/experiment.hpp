#pragma once
// The experiment replications: warp-level parallelism for stochastic replications (Passerat-Palmbach et al. 2015).

#include "harness/bench/variant.hpp"
#include "harness/cli/schematic.hpp"

namespace lockstep::replications {

bench::Experiment make_experiment();

// Every variant and reference, in the order of the CMake list. Generated.
void add_variants(bench::Experiment& experiment);

// The paper's Figure 2, recorded in the emulator (schematics.cu).
std::vector<cli::Schematic> schematics();

}  // namespace lockstep::replications
