// Warp-level parallelism with the warp's index read by inline PTX (section 4, which says that it would not be faster).
// What diverges: as in warps_macros.cu. The emulator knows no PTX, so CUDA alone has this form.

#include "common/replications/parameters.hpp"
#include "kernels/replications/warp_macros.hpp"

#include "common/replications/job_case.hpp"

namespace lockstep::replications::cuda {

__device__ inline unsigned lane_by_ptx() {
    unsigned lane = 0;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

// Warps are counted block by block, blocks in x, y, z; a block begins a warp of its own.
__device__ inline unsigned warp_index_by_ptx() {
    unsigned index = 0;
    asm("{\n\t"
        ".reg .u32 here, block, warps, size, other;\n\t"
        "mov.u32 here, %%tid.z;\n\t"
        "mov.u32 size, %%ntid.y;\n\t"
        "mov.u32 other, %%tid.y;\n\t"
        "mad.lo.u32 here, here, size, other;\n\t"
        "mov.u32 size, %%ntid.x;\n\t"
        "mov.u32 other, %%tid.x;\n\t"
        "mad.lo.u32 here, here, size, other;\n\t"
        "shr.u32 here, here, 5;\n\t"
        "mov.u32 block, %%ctaid.z;\n\t"
        "mov.u32 size, %%nctaid.y;\n\t"
        "mov.u32 other, %%ctaid.y;\n\t"
        "mad.lo.u32 block, block, size, other;\n\t"
        "mov.u32 size, %%nctaid.x;\n\t"
        "mov.u32 other, %%ctaid.x;\n\t"
        "mad.lo.u32 block, block, size, other;\n\t"
        "mov.u32 warps, %%ntid.x;\n\t"
        "mov.u32 size, %%ntid.y;\n\t"
        "mul.lo.u32 warps, warps, size;\n\t"
        "mov.u32 size, %%ntid.z;\n\t"
        "mul.lo.u32 warps, warps, size;\n\t"
        "add.u32 warps, warps, 31;\n\t"
        "shr.u32 warps, warps, 5;\n\t"
        "mad.lo.u32 %0, block, warps, here;\n\t"
        "}"
        : "=r"(index));
    return index;
}

template <class Model, class Engine>
__global__ void __launch_bounds__(1024)
    warps_ptx(__grid_constant__ JobParameters const p, unsigned /*lanes*/, unsigned* const results) {
    if (lane_by_ptx() == 0) {
        unsigned const warp = warp_index_by_ptx();
        for (unsigned long long index = warp; index < p.size; index += warps_in_grid()) {
            run_replication<Model, Engine>(p, index, results);
        }
    }
}

void add_warps_ptx(bench::Experiment& experiment) {
    experiment.variants.push_back(
        job_variant("warps_ptx", bench::Role::paper, "a warp a replication, its index by inline PTX (section 4)",
                    [](Job const& job, bench::Axes const& axes) -> std::unique_ptr<bench::Case> {
                        LaneKernel const kernel = with_model_and_engine(
                            job.model, job.engine, [&]<class M, class E>() -> LaneKernel { return warps_ptx<M, E>; });
                        return make_lane_case("warps_ptx", kernel, LaneMapping{1, block_of(axes, 128), {0, 1, 1}}, job);
                    }));
}

}  // namespace lockstep::replications::cuda
