#include "experiments/replications/experiment.hpp"

#include "common/replications/workload.hpp"
#include "harness/bench/error.hpp"

namespace lockstep::replications {

namespace {

void check_axes(bench::Axes const& axes) {
    read_workload(axes);
    std::int64_t const block = axes.integer("block");
    if (block % 32 != 0) {
        throw bench::Error("block " + std::to_string(block) + " does not consist of whole warps",
                           "a warp has 32 threads", "Try 128.");
    }
    std::int64_t const lanes = axes.integer("lanes");
    if ((lanes & (lanes - 1)) != 0) {
        throw bench::Error("lanes " + std::to_string(lanes) + " is invalid", "it must be a power of two, or 0",
                           "Try 8.");
    }
}

}  // namespace

bench::Experiment make_experiment() {
    bench::Experiment experiment;
    experiment.name = "replications";
    experiment.title = "Stochastic replications with a thread, a warp or several lanes per replication";
    experiment.paper =
        "J. Passerat-Palmbach, P. Schweitzer, J. Caux, P. Siregar, C. Mazel, D.R.C. Hill, Harnessing aspect oriented "
        "programming on GPU: application to warp-level parallelism (WLP), Int. J. Computer Aided Engineering and "
        "Technology 7(2), 2015, 158-175";
    experiment.unit = "a replication: one run of a model with its own random stream";
    experiment.item = "items";
    experiment.axes = workload_axes();
    experiment.units = [](bench::Axes const& axes) { return static_cast<std::uint64_t>(axes.integer("replications")); };
    experiment.check = check_axes;
    add_variants(experiment);
    for (bench::Reference& reference : experiment.references)
        reference.ignored_axes = {"block", "lanes"};
    return experiment;
}

}  // namespace lockstep::replications
