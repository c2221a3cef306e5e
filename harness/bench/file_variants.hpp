#pragma once
// Checks that variants are named after their file: a name is the file's stem, or the stem and a suffix ("halving" and
// "halving_by_lane" in halving.cpp).

#include <string>

#include "harness/bench/variant.hpp"

namespace lockstep::bench {

// Calls add(experiment), the function of the file `stem`. Throws bench::Error if it adds a variant with another name.
void add_variants_of_file(Experiment& experiment, std::string const& stem, void (*add)(Experiment&));

}  // namespace lockstep::bench
