#pragma once
// `lockstep limits`: measures the limits of this device.

#include <filesystem>

#include "harness/cli/commands.hpp"

namespace lockstep::cli {

// lockstep limits [--out DIR] [--json] [--only REGEX] [--repetitions N]
//
// Measures the limits of the first CUDA device, or of the CPU if there is none, prints a table and writes the limits to
// DIR/<device>/limits.json. --json prints that file instead of the table. Progress goes to standard error. Returns 0 on
// success, 1 if a limit failed or had wrong results, and 130 when interrupted. Throws bench::Error. The default of DIR
// is results/ in the source tree.
int limits_command(std::filesystem::path const& source_directory, int argc, char const* const* argv);

// The same, as a command of the program.
int limits_command(Program const& program, int argc, char const* const* argv);

}  // namespace lockstep::cli
