#pragma once
// Checks of axis values, and lookups by name with a suggestion for a name that is not known.

#include <string>
#include <string_view>
#include <vector>

#include "harness/bench/variant.hpp"

namespace lockstep::bench {

// Throws bench::Error: no such axis in this experiment.
Axis const& find_axis(Experiment const& experiment, std::string const& name);

// Throws bench::Error where the value is not of the axis' kind, out of its range, or not among those allowed.
void check_axis_value(Axis const& axis, std::string const& value);

// Throws bench::Error with `what` ("experiment", "sweep" ...) where `name` is not among `known`.
void require_known(std::string const& what, std::string const& name, std::vector<std::string> const& known);

// Throws bench::Error where an experiment contradicts itself: names used twice, a variant with an unknown reference, an
// axis named like an option of the program, a default that its axis does not allow.
void check_experiment(Experiment const& experiment);

// Every axis at its default.
Axes default_axes(Experiment const& experiment);

// Sets an axis to what the user wrote. Throws bench::Error for an axis that the experiment does not have and for a
// value that the axis does not take.
void set_axis(Experiment const& experiment, Axes& axes, std::string const& name, std::string const& value);

// "random_grids/warpwise/cuda/grid:32x32/occupied:512": the axes that differ from their default, in the experiment's
// order. So a new axis changes no name of a case that leaves it alone.
std::string case_name(Experiment const& experiment, std::string_view variant, std::string_view machine,
                      Axes const& axes);

}  // namespace lockstep::bench
