#pragma once
// Sub-commands of the program. Experiments bring their own (`grids`); each directory's commands.txt lists them.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "harness/bench/variant.hpp"

namespace lockstep::cli {

// argv[0] is the name of the sub-command. Returns the exit code. A bench::Error becomes a one-line message and exit
// code 2.
using CommandFunction = std::function<int(int argc, char const* const* argv)>;

struct Command {
    std::string name;
    std::string summary;
    CommandFunction function;
    bool takes_ranks =
        false;  // distributes its job over the ranks of mpirun (harness/ranks); others run in one process
};

// The contents of one executable.
struct Program {
    std::vector<bench::Experiment> experiments;
    std::vector<Command> commands;           // besides those of harness/cli/commands.txt
    std::filesystem::path source_directory;  // holds experiments/<name>/sweeps.json and the git repository
};

// A command that needs the program, which must outlive it.
inline CommandFunction with_program(Program const& program, int (*command)(Program const&, int, char const* const*)) {
    return [&program, command](int argc, char const* const* argv) { return command(program, argc, argv); };
}

// Exit codes: 0 done, 1 a case failed or disagreed, 2 a user's mistake, 130 interrupted.
int run_program(Program const& program, int argc, char const* const* argv);

}  // namespace lockstep::cli
