// Warp-level parallelism as the paper's macros (section 4).

#include "common/replications/parameters.hpp"
#include "kernels/replications/warp_macros.hpp"

#include "common/replications/job_case.hpp"
#include "common/replications/schemes.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {

template <class Model, class Engine>
__global__ void __launch_bounds__(1024)
    warps_macros(__grid_constant__ JobParameters const p, unsigned /*lanes*/, unsigned* const results) {
    WARP_BEGIN {
        WARP_INIT
        for (unsigned long long index = warpIdx; index < p.size; index += warps_in_grid()) {
            run_replication<Model, Engine>(p, index, results);
        }
    }
}

std::unique_ptr<bench::Case> make_warps_macros(Job const& job, unsigned block, simt::Dim3 grid) {
    LaneKernel const kernel = with_model_and_engine(
        job.model, job.engine, [&]<class M, class E>() -> LaneKernel { return warps_macros<M, E>; });
    return make_lane_case("warps_macros", kernel, LaneMapping{1, block, grid}, job);
}

void add_warps_macros(bench::Experiment& experiment) {
    experiment.variants.push_back(job_variant(
        "warps_macros", bench::Role::paper, "a warp a replication, by the paper's WARP_BEGIN and WARP_INIT (section 4)",
        [](Job const& job, bench::Axes const& axes) { return make_warps_macros(job, block_of(axes, 128)); }));
}

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
