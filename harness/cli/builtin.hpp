#pragma once
// The sub-commands that every program has.

#include <iosfwd>

#include "harness/cli/commands.hpp"
#include "harness/cli/options.hpp"

namespace lockstep::cli {

int list_command(Program const& program, ListOptions const& options, std::ostream& out);
int devices_command(std::ostream& out);
int merge_command(MergeOptions const& options, std::ostream& out);
int migrate_command(Program const& program, MigrateOptions const& options, std::ostream& out);

// `argc` and `argv` of the whole program go into the results as the command.
int run_command(Program const& program, RunArguments const& arguments, int argc, char const* const* argv);

// The named experiments, all where none is named. Throws bench::Error for an unknown name.
std::vector<bench::Experiment const*> chosen_experiments(Program const& program, std::vector<std::string> const& names);

}  // namespace lockstep::cli
