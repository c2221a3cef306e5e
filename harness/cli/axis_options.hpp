#pragma once
// Axes as options of a sub-command: their names, help and defaults come from the experiment.

#include <map>
#include <string>
#include <vector>

#include "harness/bench/variant.hpp"
#include "harness/cli/command_line.hpp"

namespace lockstep::cli {

// What the user wrote for each axis, by name. Empty means the axis' default, or the sweep's value.
using AxisTexts = std::map<std::string, std::string>;

// Adds an option per axis, but for axes that `texts` was given an option for before. A text that is set already is the
// command's own default, and --help says so. `texts` must outlive the parsing.
void add_axes(CommandLine& line, std::vector<bench::Axis> const& axes, AxisTexts& texts);

// The axes of these names. Throws bench::Error for one that the experiment does not have.
std::vector<bench::Axis> axes_named(bench::Experiment const& experiment, std::vector<std::string> const& names);

// Every axis: what the user wrote, else the default. Throws bench::Error for a value that an axis does not take.
bench::Axes axes_from(bench::Experiment const& experiment, AxisTexts const& texts);

}  // namespace lockstep::cli
