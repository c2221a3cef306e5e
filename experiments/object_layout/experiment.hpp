#pragma once
// The experiment object_layout: objects on a GPU as in Ikra (Springer and Masuhara 2016), and the traffic simulation.

#include "harness/bench/variant.hpp"
#include "harness/cli/schematic.hpp"

namespace lockstep::object_layout {

// What --network takes, in help texts.
constexpr char const* network_help =
    "random, city:COLUMNSxROWS (a planar town), or a file (-: standard input) of OpenStreetMap XML or of streets with "
    "`from to length max_velocity` per line";

bench::Experiment make_experiment();

// Calls every variant's add function. The build generates its definition.
void add_variants(bench::Experiment& experiment);

// The paper's Figures 4 to 6, recorded in the emulator (schematics.cu).
std::vector<cli::Schematic> schematics();

}  // namespace lockstep::object_layout
