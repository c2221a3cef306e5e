// Warpwise with the warp reduction instruction of compute capability 8.0 and later.

#include "kernels/random_grids/warpwise.hpp"

#include "common/random_grids/grid_case.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

void add_warpwise_reduce(bench::Experiment& experiment) {
    experiment.variants.push_back(grid_variant(
        "warpwise_reduce", bench::Role::ours, "halving_by_lane",
        "warpwise with the hardware's warp reduction instead of five shuffles",
        [](Workload const& workload) {
            return with_engine_output_and_work(workload, [&]<class Engine, bool stored, class Work>() -> GridKernel {
                return warpwise<Engine, stored, ReduceSum, Work>;
            });
        },
        warp_mapping, needs_32x32_or_xorwow));
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
