// The program: its experiments and sub-commands, listed. Adding an experiment is a line in each list.

#include <cstdlib>

#include "experiments/object_layout/command.hpp"
#include "experiments/object_layout/experiment.hpp"
#include "experiments/random_grids/command.hpp"
#include "experiments/random_grids/experiment.hpp"
#include "experiments/replications/command.hpp"
#include "experiments/replications/experiment.hpp"
#include "experiments/rule_interpreter/command.hpp"
#include "experiments/rule_interpreter/experiment.hpp"
#include "experiments/term_rewriting/command.hpp"
#include "experiments/term_rewriting/experiment.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/limits_command.hpp"
#include "harness/cli/trace_command.hpp"

namespace {

// The tree that the program was built from, unless LOCKSTEP_SOURCE says where it is now.
std::filesystem::path source_directory() {
    char const* const moved = std::getenv("LOCKSTEP_SOURCE");
    return moved != nullptr ? moved : LOCKSTEP_SOURCE_DIRECTORY;
}

std::vector<lockstep::cli::SchematicSource> schematics() {
    return {
        {"object_layout", lockstep::object_layout::schematics},
        {"replications", lockstep::replications::schematics},
        {"rule_interpreter", lockstep::rule_interpreter::schematics},
    };
}

}  // namespace

int main(int argc, char** argv) {
    lockstep::cli::Program program;
    program.source_directory = source_directory();
    program.experiments = {
        lockstep::random_grids::make_experiment(),     lockstep::replications::make_experiment(),
        lockstep::rule_interpreter::make_experiment(), lockstep::object_layout::make_experiment(),
        lockstep::term_rewriting::make_experiment(),
    };
    program.commands = {
        {"limits", "what this device can do at most", lockstep::cli::limits_command},
        {"trace", "what lanes do, for the papers' schematic figures",
         [&](int count, char const* const* values) {
             return lockstep::cli::trace_command(schematics(), program.source_directory / "results/schematics", count,
                                                 values);
         }},
        {"interpret", "rules over many states at once, with thread compaction",
         lockstep::rule_interpreter::interpret_command, true},
        {"grids", "random boards with a given number of occupied sites", lockstep::random_grids::grids_command, true},
        {"rewrite", "normal forms of a term rewrite system", lockstep::term_rewriting::rewrite_command},
        {"replicate", "replications of a stochastic model, with confidence intervals",
         lockstep::replications::replicate_command, true},
        {"traffic", "cars and pedestrians on a network of streets", lockstep::object_layout::traffic_command},
        {"weave", "turn // @warp annotations into warp-level parallelism", lockstep::replications::weave_command},
    };
    return lockstep::cli::run_program(program, argc, argv);
}
