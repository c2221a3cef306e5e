#pragma once
// `lockstep limits`: what this device can do at most, measured.

#include "harness/cli/commands.hpp"

namespace lockstep::cli {

// lockstep limits [--out DIR] [--json] [--only REGEX] [--repetitions N]
//
// Measures the limits of the first CUDA device, or of the CPU where there is none, prints a table and writes them to
// DIR/<device>/limits.json. --json prints that file instead of the table. Progress goes to the error stream.
// Returns 0, or 1 where a limit failed or computed something wrong, or 130 when interrupted. Throws bench::Error.
int limits_command(int argc, char const* const* argv);

// The same, as a command of the program.
int limits_command(Program const& program, int argc, char const* const* argv);

}  // namespace lockstep::cli
