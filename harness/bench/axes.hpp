#pragma once
// Checks of axis values, and lookups by name that suggest the nearest known name.

#include <string>
#include <string_view>
#include <vector>

#include "harness/bench/variant.hpp"

namespace lockstep::bench {

// Throws bench::Error if the experiment has no such axis.
Axis const& find_axis(Experiment const& experiment, std::string const& name);

// Throws bench::Error if the value is not of the axis' kind, is out of range, or is not among the allowed values.
void check_axis_value(Axis const& axis, std::string const& value);

// Throws bench::Error if `name` is not in `known`. `what` ("experiment", "sweep" ...) goes into the message.
void require_known(std::string const& what, std::string const& name, std::vector<std::string> const& known);

// Throws bench::Error if an experiment is inconsistent: duplicate names, a variant with an unknown reference, an axis
// that has the name of a program option, or a default value that its axis does not allow.
void check_experiment(Experiment const& experiment);

// Every axis at its default.
Axes default_axes(Experiment const& experiment);

// Sets an axis to the user's text. Throws bench::Error for an unknown axis or an invalid value.
void set_axis(Experiment const& experiment, Axes& axes, std::string const& name, std::string const& value);

// "random_grids/warpwise/cuda/grid:32x32/occupied:512": the axes that differ from their defaults, in the experiment's
// order. A new axis therefore does not change the names of cases that leave it at its default.
std::string case_name(Experiment const& experiment, std::string_view variant, std::string_view machine,
                      Axes const& axes);

}  // namespace lockstep::bench
