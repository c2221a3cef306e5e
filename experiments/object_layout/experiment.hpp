#pragma once
// The experiment object_layout: Springer and Masuhara's Ikra, its objects on a GPU and its traffic simulation.

#include "harness/bench/variant.hpp"
#include "harness/cli/schematic.hpp"

namespace lockstep::object_layout {

bench::Experiment make_experiment();

// Defined by the build: calls every variant's add function.
void add_variants(bench::Experiment& experiment);

// The paper's Figures 4 to 6, recorded in the emulator (schematics.cu).
std::vector<cli::Schematic> schematics();

}  // namespace lockstep::object_layout
