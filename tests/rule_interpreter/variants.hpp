#pragma once
// Running variants of rule_interpreter in tests.

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/rule_interpreter/experiment.hpp"
#include "reference_cpu/rule_interpreter/states.hpp"
#include "tests/support/agreement.hpp"

namespace lockstep::rule_interpreter::tests {

using lockstep::tests::all_units;
using lockstep::tests::test_name;
using lockstep::tests::Values;
using lockstep::tests::why_not_here;

inline bench::Experiment const& experiment() {
    static bench::Experiment const made = make_experiment();
    return made;
}

inline std::vector<bench::Variant const*> variants_under_test() {
    return lockstep::tests::variants_under_test(experiment());
}

// As problem_at. Groups have two states unless `values` changes that, because the emulator switches lanes at every
// barrier.
inline bench::Problem problem(Values values) {
    values.try_emplace("states_per_group", "2");
    return lockstep::tests::problem_at(experiment(), values);
}

}  // namespace lockstep::rule_interpreter::tests
