#pragma once
// The axes among the options of `run`, and what `run --help` says of experiments.

#include "harness/cli/axis_options.hpp"
#include "harness/cli/command_line.hpp"
#include "harness/cli/commands.hpp"

namespace lockstep::cli {

// Adds the axes of all experiments as options. If the command line asks for help: those of the experiments that it
// names, with the forms of values, examples, variants and sweeps; if it names none, a list of the experiments.
void add_run_axes(CommandLine& line, Program const& program, int argc, char const* const* argv, AxisTexts& texts);

}  // namespace lockstep::cli
