#pragma once
// The rule by which a variant is found: its name is its file's stem, or the stem and a suffix ("halving",
// "halving_by_lane" in halving.cpp).

#include <string>

#include "harness/bench/variant.hpp"

namespace lockstep::bench {

// Calls add(experiment), of the file `stem`. Throws bench::Error where it adds a variant of another name.
void add_variants_of_file(Experiment& experiment, std::string const& stem, void (*add)(Experiment&));

}  // namespace lockstep::bench
