// Warpwise as the slide "Caveat!" warns of: the warp size is known at run time alone, so the sum stays a loop.

#include "kernels/random_grids/warpwise.hpp"

#include "common/random_grids/grid_case.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

void add_warpwise_runtime_warp(bench::Experiment& experiment) {
    experiment.variants.push_back(grid_variant(
        "warpwise_runtime_warp", bench::Role::paper, "halving_by_lane",
        "warpwise with a warp size known at run time alone, so its sum stays a loop (slide: Caveat!)",
        [](Workload const& workload) {
            return with_engine_and_output(workload, [&]<class Engine, bool stored>() -> GridKernel {
                return warpwise<Engine, stored, RunTimeButterflySum>;
            });
        },
        warp_mapping, needs_32x32));
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
