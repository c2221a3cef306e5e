#include "experiments/random_grids/experiment.hpp"

#include "common/random_grids/workload.hpp"

namespace lockstep::random_grids {

namespace {

// True for variants whose kernels can work on a board after its draw (axis `after`).
bool works_after_a_draw(bench::Variant const& variant) {
    return variant.name == "halving" || variant.name == "halving_by_lane" || variant.name == "threadwise" ||
           variant.name == "warpwise" || variant.name == "warpwise_reduce" || variant.name == "dense";
}

void refuse_work_after_a_draw(bench::Variant& variant) {
    variant.unsupported_reason = [reason = variant.unsupported_reason](bench::Axes const& axes) -> std::string {
        if (axes.text("after") != "none")
            return "it does no work after a draw";
        return reason ? reason(axes) : "";
    };
}

}  // namespace

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
    for (bench::Variant& variant : experiment.variants) {
        if (!works_after_a_draw(variant))
            refuse_work_after_a_draw(variant);
    }
    return experiment;
}

}  // namespace lockstep::random_grids
