// Warpwise with the butterfly sum (slide "Warp sum").

#include "kernels/random_grids/warpwise.hpp"

#include "common/random_grids/grid_case.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

void add_warpwise(bench::Experiment& experiment) {
    experiment.variants.push_back(grid_variant(
        "warpwise", bench::Role::paper, "halving_by_lane",
        "one warp per stream, one row per lane, counts summed by shuffles (slide: Warpwise implementation, the code)",
        [](Workload const& workload) {
            return with_engine_output_and_work(workload, [&]<class Engine, bool stored, class Work>() -> GridKernel {
                return warpwise<Engine, stored, ButterflySum, Work>;
            });
        },
        warp_mapping, needs_32x32_or_xorwow));
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
