// Warpwise as in the slide "Caveat!": the warp size is known only at run time, so the sum remains a loop.

#include "kernels/random_grids/warpwise.hpp"

#include "common/random_grids/grid_case.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

void add_warpwise_runtime_warp(bench::Experiment& experiment) {
    experiment.variants.push_back(grid_variant(
        "warpwise_runtime_warp", bench::Role::paper, "halving_by_lane",
        "warpwise with a warp size known only at run time, so the sum remains a loop (slide: Caveat!)",
        [](Workload const& workload) {
            return with_engine_and_output(workload, [&]<class Engine, bool stored>() -> GridKernel {
                return warpwise<Engine, stored, RunTimeButterflySum>;
            });
        },
        warp_mapping, needs_32x32));
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
