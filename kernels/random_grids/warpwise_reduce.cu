// Warpwise with the warp reduction instruction of compute capability 8.0 and later.

#include "kernels/random_grids/warpwise.hpp"

#include "common/random_grids/grid_case.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

void add_warpwise_reduce(bench::Experiment& experiment) {
    experiment.variants.push_back(grid_variant(
        "warpwise_reduce", bench::Role::ours, "halving_by_lane",
        "warpwise with the hardware's warp reduction instead of five shuffles",
        [](Workload const& workload) {
            return with_engine_and_output(workload, [&]<class Engine, bool stored>() -> GridKernel {
                return warpwise<Engine, stored, ReduceSum>;
            });
        },
        warp_mapping, needs_32x32));
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
