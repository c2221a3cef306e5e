#pragma once
// Experiment rule_interpreter: rules over many states, with and without thread compaction (Köster, Groß, Krüger 2020).

#include "harness/bench/variant.hpp"
#include "harness/cli/schematic.hpp"

namespace lockstep::rule_interpreter {

bench::Experiment make_experiment();

// Adds every variant and reference, in the order of the CMake list. Generated.
void add_variants(bench::Experiment& experiment);

// Records the paper's Figures 1 to 6 in the emulator (schematics.cu).
std::vector<cli::Schematic> schematics();

}  // namespace lockstep::rule_interpreter
