#pragma once
// The sub-command `lockstep trace`.

#include <filesystem>
#include <vector>

#include "harness/cli/commands.hpp"
#include "harness/cli/schematic.hpp"

namespace lockstep::cli {

// `lockstep trace [--out DIR]`: records all schematics and writes DIR/<experiment>.json. DIR defaults to
// `default_folder`.
int trace_command(std::vector<SchematicSource> const& sources, std::filesystem::path const& default_folder, int argc,
                  char const* const* argv);

// The same, as a command of the program.
int trace_command(Program const& program, int argc, char const* const* argv);

}  // namespace lockstep::cli
