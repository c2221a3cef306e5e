#pragma once
// Running variants of rule_interpreter in tests.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "experiments/rule_interpreter/experiment.hpp"
#include "harness/bench/axes.hpp"
#include "reference_cpu/rule_interpreter/states.hpp"
#include "tests/support/agreement.hpp"

namespace lockstep::rule_interpreter::tests {

using lockstep::tests::all_units;
using lockstep::tests::test_name;
using lockstep::tests::why_not_here;

inline bench::Experiment const& experiment() {
    static bench::Experiment const made = make_experiment();
    return made;
}

inline std::vector<bench::Variant const*> variants_under_test() {
    return lockstep::tests::variants_under_test(experiment());
}

using Values = std::map<std::string, std::string>;

// Axes at their defaults except for `values`, which also set the number of states. Groups have two states unless
// `values` changes that, because the emulator switches lanes at every barrier.
inline bench::Problem problem(Values const& values) {
    bench::Problem made;
    made.axes = bench::default_axes(experiment());
    made.axes.set("states_per_group", "2");
    for (auto const& [axis, value] : values)
        made.axes.set(axis, value);
    made.seed = 1;
    made.units = experiment().units(made.axes);
    return made;
}

}  // namespace lockstep::rule_interpreter::tests
