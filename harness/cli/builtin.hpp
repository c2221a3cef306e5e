#pragma once
// The sub-commands that every program has.

#include <iosfwd>

#include "harness/cli/commands.hpp"
#include "harness/cli/options.hpp"

namespace lockstep::cli {

// The commands of commands.txt in this directory. Generated.
std::vector<Command> builtin_commands(Program const& program);

int list_command(Program const& program, ListOptions const& options, std::ostream& out);
int devices_command(Program const& program, DevicesOptions const& options, std::ostream& out);
int merge_command(MergeOptions const& options, std::ostream& out);
int migrate_command(Program const& program, MigrateOptions const& options, std::ostream& out);

// `argc` and `argv`, with the name of the program before those of the sub-command, go into the results as the command.
int run_command(Program const& program, RunArguments const& arguments, int argc, char const* const* argv);

// experiments/<name>/sweeps.json in the source tree.
std::filesystem::path sweeps_file(Program const& program, bench::Experiment const& experiment);

// Returns the named experiments, or all if `names` is empty. Throws bench::Error for an unknown name.
std::vector<bench::Experiment const*> chosen_experiments(Program const& program, std::vector<std::string> const& names);

}  // namespace lockstep::cli
