#pragma once
// What is in the program. The build generates the definitions from the directories here and their commands.txt.

#include <vector>

#include "harness/cli/commands.hpp"
#include "harness/cli/schematic.hpp"

namespace lockstep {

std::vector<bench::Experiment> all_experiments();

// The sub-commands besides those of harness/cli. They refer to `program`.
std::vector<cli::Command> all_commands(cli::Program const& program);

// Those of every experiments/<e>/schematics.cu.
std::vector<cli::SchematicSource> all_schematics();

}  // namespace lockstep
