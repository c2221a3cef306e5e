#pragma once
// Running variants of rule_interpreter in tests. One source of tests serves the CPU with the emulator and, in another
// program, the GPU.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "experiments/rule_interpreter/experiment.hpp"
#include "reference_cpu/rule_interpreter/states.hpp"

namespace lockstep::rule_interpreter::tests {

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

using Values = std::map<std::string, std::string>;

// Axes at their defaults but for `values`; states as in there. Groups are of two states where nothing else is said: the
// emulator switches lanes at every barrier.
inline bench::Problem problem(Values const& values) {
    bench::Problem made;
    for (bench::Axis const& axis : experiment().axes)
        made.axes.set(axis.name, axis.default_value);
    made.axes.set("states_a_group", "2");
    for (auto const& [axis, value] : values)
        made.axes.set(axis, value);
    made.seed = 1;
    made.units = experiment().units(made.axes);
    return made;
}

inline std::vector<std::uint64_t> all_units(bench::Problem const& asked) {
    std::vector<std::uint64_t> units;
    for (std::uint64_t i = 0; i < asked.units; ++i)
        units.push_back(asked.first_unit + i);
    return units;
}

}  // namespace lockstep::rule_interpreter::tests
