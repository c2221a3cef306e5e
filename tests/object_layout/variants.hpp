#pragma once
// Running variants of object_layout in tests.

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/object_layout/experiment.hpp"
#include "tests/support/agreement.hpp"

namespace lockstep::object_layout::tests {

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

inline bench::Problem problem(Values const& values) { return lockstep::tests::problem_at(experiment(), values, 7); }

}  // namespace lockstep::object_layout::tests
