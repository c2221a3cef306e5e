#pragma once
// Compares a variant's results with those of its reference.

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/bench/variant.hpp"
#include "tests/support/machines.hpp"

namespace lockstep::tests {

// Skips its tests if the machines under test are not available.
class OnMachines : public testing::TestWithParam<bench::Variant const*> {
protected:
    void SetUp() override;
};

// Runs the variant `runs` times, each time from poisoned outputs, and compares every unit and the digest with its
// reference. Returns the case after the last run, or null if the variant does not support these axes.
std::unique_ptr<bench::Case> run_and_compare(bench::Experiment const& experiment, bench::Variant const& variant,
                                             bench::Problem const& problem, int runs = 1);

// Axes by name.
using Values = std::map<std::string, std::string>;

// All units of the experiment at its defaults, but for `values`.
bench::Problem problem_at(bench::Experiment const& experiment, Values const& values, std::uint64_t seed = 1);

// Returns first_unit, first_unit + 1, ...
std::vector<std::uint64_t> all_units(bench::Problem const& problem);

// Results of all units of one run, from poisoned outputs.
std::vector<bench::UnitResult> run_all(bench::Case& made, bench::Problem const& problem);

}  // namespace lockstep::tests
