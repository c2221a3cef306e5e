#pragma once
// Axes as options of a sub-command. Names, help texts and defaults come from the experiment.

#include <map>
#include <string>
#include <vector>

#include "harness/bench/variant.hpp"
#include "harness/cli/command_line.hpp"

namespace lockstep::cli {

// The user's text for each axis, by name. Empty means the axis' default or the sweep's value.
using AxisTexts = std::map<std::string, std::string>;

// Adds one option per axis, except for axes that already have an entry in `texts`. A text that is already set is the
// command's own default and appears in --help. `texts` must outlive the parsing.
void add_axes(CommandLine& line, std::vector<bench::Axis> const& axes, AxisTexts& texts);

// Returns the axes with these names. Throws bench::Error for a name that the experiment does not have.
std::vector<bench::Axis> axes_named(bench::Experiment const& experiment, std::vector<std::string> const& names);

// Returns all axes with the user's values or their defaults. Throws bench::Error for an invalid value.
bench::Axes axes_from(bench::Experiment const& experiment, AxisTexts const& texts);

}  // namespace lockstep::cli
