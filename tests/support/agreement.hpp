#pragma once
// Compares a variant's results with those of its reference.

#include <gtest/gtest.h>

#include <memory>

#include "harness/bench/variant.hpp"
#include "tests/support/machines.hpp"
#include "tests/support/problems.hpp"

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

}  // namespace lockstep::tests
