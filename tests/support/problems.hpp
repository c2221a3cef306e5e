#pragma once
// Problems of an experiment, and all results of a case. Needs no machines_under_test(), so every test can use it.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/bench/variant.hpp"

namespace lockstep::tests {

// Axes by name.
using Values = std::map<std::string, std::string>;

// All units of the experiment at its defaults, except for the axes in `values`.
bench::Problem problem_at(bench::Experiment const& experiment, Values const& values, std::uint64_t seed = 1);

// Returns first_unit, first_unit + 1, ...
std::vector<std::uint64_t> all_units(bench::Problem const& problem);

// Results of all units of one run, from poisoned outputs.
std::vector<bench::UnitResult> run_all(bench::Case& made, bench::Problem const& problem);

}  // namespace lockstep::tests
