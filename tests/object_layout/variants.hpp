#pragma once
// Running variants of object_layout in tests. One source of tests serves the CPU with the emulator and, in another
// program, the GPU.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "experiments/object_layout/experiment.hpp"

namespace lockstep::object_layout::tests {

// The machines that this program tests.
std::vector<bench::Machine> machines_under_test();

// Empty where they can run here, else why not.
std::string why_not_here();

inline bench::Experiment const& experiment() {
    static bench::Experiment const made = make_experiment();
    return made;
}

inline std::vector<bench::Variant const*> variants_under_test() {
    std::vector<bench::Variant const*> found;
    for (bench::Machine const machine : machines_under_test()) {
        for (bench::Variant const& variant : experiment().variants) {
            if (variant.machine == machine)
                found.push_back(&variant);
        }
    }
    return found;
}

using Values = std::vector<std::pair<std::string, std::string>>;

// The defaults, with these axes changed.
inline bench::Problem problem(Values const& values) {
    bench::Problem made;
    for (bench::Axis const& axis : experiment().axes)
        made.axes.set(axis.name, axis.default_value);
    for (auto const& [axis, value] : values)
        made.axes.set(axis, value);
    made.seed = 7;
    made.units = experiment().units(made.axes);
    return made;
}

}  // namespace lockstep::object_layout::tests
