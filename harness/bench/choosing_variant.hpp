#pragma once
// A variant that does its work by another variant of its machine, the one that should be the fastest for the axes.

#include <functional>
#include <string>
#include <vector>

#include "harness/bench/variant.hpp"

namespace lockstep::bench {

// Names of variants, the fastest first. The choice is the first one that supports the axes, and if there is none, the
// last one, whose reason the user gets.
using Preference = std::function<std::vector<std::string>(Axes const&)>;

// Chooses among the variants that the experiment has so far. A result equals that of the chosen variant's reference, so
// `preference` may depend on the axes only, not on the number of units or the machine's size.
Variant choosing_variant(Experiment const& experiment, Machine machine, std::string name, Role role,
                         std::string description, Preference preference);

}  // namespace lockstep::bench
