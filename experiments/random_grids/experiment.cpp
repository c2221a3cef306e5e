#include "experiments/random_grids/experiment.hpp"

#include "common/random_grids/workload.hpp"

namespace lockstep::random_grids {

bench::Experiment make_experiment() {
    bench::Experiment experiment;
    experiment.name = "random_grids";
    experiment.title = "Sets of exactly k out of N bits, one thread or one warp per set";
    experiment.paper =
        "I. Borsos, Generating small random grids with a given number of occupied sites, GPU Day 2023, Budapest, 15-16 "
        "May 2023";
    experiment.unit = "a stream of `length` consecutive boards from one engine (warpwise: one engine per lane)";
    experiment.item = "grids";
    experiment.axes = workload_axes();
    experiment.units = [](bench::Axes const& axes) { return static_cast<std::uint64_t>(axes.integer("streams")); };
    experiment.check = [](bench::Axes const& axes) { read_workload(axes); };
    add_variants(experiment);
    return experiment;
}

}  // namespace lockstep::random_grids
