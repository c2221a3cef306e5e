#include "experiments/rule_interpreter/experiment.hpp"

#include "common/rule_interpreter/workload.hpp"
#include "harness/bench/error.hpp"

namespace lockstep::rule_interpreter {

namespace {

void check(bench::Axes const& axes) {
    read_workload(axes);
    check_puzzles(axes);
    layout_from_string(axes.text("layout"));
    std::int64_t const block = axes.integer("block");
    if (block % 32 != 0) {
        throw bench::Error("block " + std::to_string(block) + " is not a multiple of 32", "a warp has 32 threads",
                           "Try 256.");
    }
    std::int64_t const warps = axes.integer("warps_per_state");
    if ((warps & (warps - 1)) != 0)
        throw bench::Error("warps_per_state " + std::to_string(warps) + " is not valid",
                           "it must be a power of two, or 0", "Try 4.");
}

}  // namespace

bench::Experiment make_experiment() {
    bench::Experiment experiment;
    experiment.name = "rule_interpreter";
    experiment.title = "Rules over many states, with and without thread compaction";
    experiment.paper =
        "M. Köster, J. Groß, A. Krüger, Massively Parallel Rule-Based Interpreter Execution on GPUs Using Thread "
        "Compaction, International Journal of Parallel Programming 48(3), 2020";
    experiment.unit = "a state";
    experiment.item = "values";
    experiment.axes = workload_axes();
    experiment.units = [](bench::Axes const& axes) { return static_cast<std::uint64_t>(axes.integer("states")); };
    experiment.check = check;
    add_variants(experiment);
    return experiment;
}

}  // namespace lockstep::rule_interpreter
