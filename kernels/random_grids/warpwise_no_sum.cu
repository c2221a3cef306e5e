// Control that measures the cost of the warp sum: warpwise without it (common/random_grids/warpwise_no_sum.hpp). It
// does not draw sets of exactly k.

#include "common/random_grids/warpwise_no_sum.hpp"

#include "common/random_grids/grid_case.hpp"
#include "kernels/random_grids/warpwise.hpp"

namespace lockstep::random_grids {

struct NoSumParameters {
    GridParameters grid;
    unsigned steps = 0;  // control_steps()
};

}  // namespace lockstep::random_grids

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

// As halve_row(), but the lane decides by its own count.
template <class Engine>
__device__ inline unsigned halve_row_alone(Engine& engine, unsigned candidates, unsigned wanted, unsigned steps) {
    unsigned subset = 0;
    unsigned included = 0;
#pragma unroll 1
    for (; steps != 0; --steps) {
        unsigned const selected = engine() & candidates;
        unsigned const count = static_cast<unsigned>(__popc(selected));
        if (included + count <= wanted) {
            subset |= selected;
            included += count;
            candidates &= ~selected;
        } else {
            candidates = selected;
        }
    }
    return subset;
}

template <class Engine, bool stored>
__global__ void __launch_bounds__(256)
    warpwise_no_sum(__grid_constant__ NoSumParameters const p, unsigned* const results) {
    ControlSteps steps(p.steps);
    warpwise_stream<Engine, stored, NoWork>(
        p.grid, results, [&steps](Engine& engine, unsigned candidates, unsigned occupied) {
            return halve_row_alone(engine, candidates, wanted_in_row(occupied), steps.next());
        });
}

namespace {

using NoSumKernel = void (*)(NoSumParameters, unsigned*);

GridLaunch<NoSumParameters> prepare_no_sum(bench::Problem const& problem, Workload const& workload) {
    GridLaunch<NoSumParameters> launch;
    launch.kernel = with_engine_and_output(
        workload, [&]<class Engine, bool stored>() -> NoSumKernel { return warpwise_no_sum<Engine, stored>; });
    launch.mapping = warp_mapping(workload);
    launch.mapping.draws_k = false;
    launch.parameters.grid = grid_parameters(problem, workload);
    launch.parameters.steps = control_steps(workload);
    return launch;
}

}  // namespace

void add_warpwise_no_sum(bench::Experiment& experiment) {
    experiment.variants.push_back(launched_variant(
        "warpwise_no_sum", bench::Role::paper, "warpwise_no_sum",
        "control: warpwise without the sum, each lane decides by its own count; does not draw sets of k",
        prepare_no_sum, needs_32x32));
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
