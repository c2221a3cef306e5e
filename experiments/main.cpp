// The main function of the program `lockstep`.

#include <cstdlib>
#include <filesystem>

#include "experiments/all_experiments.hpp"
#include "harness/cli/trace_command.hpp"

namespace {

// The source tree: LOCKSTEP_SOURCE if it is set, otherwise the tree that the program was built from. The program, at
// the top of the build tree, knows only the way from there, so that builds in different folders are equal.
std::filesystem::path source_directory() {
    if (char const* const moved = std::getenv("LOCKSTEP_SOURCE"))
        return moved;
    std::error_code error;
    std::filesystem::path const program = std::filesystem::read_symlink("/proc/self/exe", error);
    std::filesystem::path const source = (program.parent_path() / LOCKSTEP_SOURCE_FROM_BUILD).lexically_normal();
    return source.has_filename() ? source : source.parent_path();
}

}  // namespace

// Registered in commands.txt.
int lockstep::cli::trace_command(Program const& program, int argc, char const* const* argv) {
    return trace_command(all_schematics(), program.source_directory / "results/schematics", argc, argv);
}

int main(int argc, char** argv) {
    lockstep::cli::Program program;
    program.source_directory = source_directory();
    program.experiments = lockstep::all_experiments();
    program.commands = lockstep::all_commands(program);
    return lockstep::cli::run_program(program, argc, argv);
}
