#pragma once
// Experiment random_grids: Borsos' sets of exactly k out of N bits.

#include "harness/bench/variant.hpp"
#include "harness/cli/schematic.hpp"

namespace lockstep::random_grids {

bench::Experiment make_experiment();

// Adds every variant and reference, in the order of the CMake list. Generated.
void add_variants(bench::Experiment& experiment);

// The slides' example board and the steps of a draw, recorded in the emulator (schematics.cu).
std::vector<cli::Schematic> schematics();

}  // namespace lockstep::random_grids
