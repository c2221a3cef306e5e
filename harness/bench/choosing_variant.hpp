#pragma once
// A variant that does its work by another variant of its machine, the one that should be the fastest for the axes.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "harness/bench/fastest_case.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::bench {

// Names of variants, the fastest first. The choice is the first one that supports the axes, and if there is none, the
// last one, whose reason the user gets.
using Preference = std::function<std::vector<std::string>(Axes const&)>;

// A choice by measurement, where the problem is repeated, whole and on a GPU (fastest_case.hpp).
struct Trials {
    std::size_t candidates = 1;  // at most so many of the first ones that support the axes; 1: no trials
    double max_run_seconds = max_trial_seconds;
};

// Chooses among the variants that the experiment has so far. A result equals that of the chosen variant's reference.
// `preference` may depend on the axes only, not on the number of units or the machine's size, because shards must
// choose alike. Trials of a whole problem may choose another variant, which Case::chosen_variant() names.
Variant choosing_variant(Experiment const& experiment, Machine machine, std::string name, Role role,
                         std::string description, Preference preference, Trials trials = {});

}  // namespace lockstep::bench
