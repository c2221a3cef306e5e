#line 1 "kernels/replications/warps_plain.cu"
// clang-format off
// Warp-level parallelism by advice, as AspectC++ would weave it (section 5): this file does not mention warps apart from
// the index. `lockstep weave --advise 'warps_advised=@warp'` generates warps_advised.cu from it, and the build compiles
// that file. Do not reformat this file: a test compares the generated text.

#include "common/replications/parameters.hpp"
#include "kernels/replications/warp_macros.hpp"

#include "common/replications/job_case.hpp"
#include "common/replications/schemes.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {

template <class Model, class Engine>
__global__ void __launch_bounds__(1024)
    warps_advised(__grid_constant__ JobParameters const p, unsigned /*lanes*/, unsigned* const results) {if ((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % warpSize == 0) { unsigned const warpIdx = (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)) * ((blockDim.x * blockDim.y * blockDim.z + warpSize - 1) / warpSize) + (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / warpSize; static_cast<void>(warpIdx);
    for (unsigned long long index = warpIdx; index < p.size; index += warps_in_grid()) {
        run_replication<Model, Engine>(p, index, results);
    }
}}

std::unique_ptr<bench::Case> make_warps_advised(Job const& job, unsigned block, simt::Dim3 grid) {
    LaneKernel const kernel = with_model_and_engine(
        job.model, job.engine, [&]<class M, class E>() -> LaneKernel { return warps_advised<M, E>; });
    return make_lane_case("warps_advised", kernel, LaneMapping{1, block, grid}, job);
}

void add_warps_advised(bench::Experiment& experiment) {
    experiment.variants.push_back(job_variant(
        "warps_advised", bench::Role::paper, "a warp per replication, from advice for kernels by name (section 5)",
        [](Job const& job, bench::Axes const& axes) { return make_warps_advised(job, block_of(axes, 128)); }));
}

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
