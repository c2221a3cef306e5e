#pragma once
// Running variants of object_layout in tests.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "experiments/object_layout/experiment.hpp"
#include "harness/bench/axes.hpp"
#include "tests/support/agreement.hpp"

namespace lockstep::object_layout::tests {

using lockstep::tests::test_name;
using lockstep::tests::why_not_here;

inline bench::Experiment const& experiment() {
    static bench::Experiment const made = make_experiment();
    return made;
}

inline std::vector<bench::Variant const*> variants_under_test() {
    return lockstep::tests::variants_under_test(experiment());
}

using Values = std::vector<std::pair<std::string, std::string>>;

// The defaults, with these axes changed.
inline bench::Problem problem(Values const& values) {
    bench::Problem made;
    made.axes = bench::default_axes(experiment());
    for (auto const& [axis, value] : values)
        made.axes.set(axis, value);
    made.seed = 7;
    made.units = experiment().units(made.axes);
    return made;
}

}  // namespace lockstep::object_layout::tests
