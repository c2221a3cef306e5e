#pragma once
// One warp per replication; each block records its multiprocessor and when it begins and ends. Only hardware can tell
// these, so the emulator has no such kernel. It reads %smid and %globaltimer, which are PTX. For `.cuda.cu` files.

#include <algorithm>
#include <memory>
#include <vector>

#include "common/replications/job_case.hpp"
#include "kernels/replications/for_each_replication.hpp"

namespace lockstep::replications::cuda {

struct BlockRecord {
    unsigned long long begin, end;  // nanoseconds
    unsigned long long multiprocessor;
};

__device__ inline unsigned long long moment() {
    unsigned long long now = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

template <class Model, class Engine>
__global__ void __launch_bounds__(1024)
    noted_warps(__grid_constant__ JobParameters const p, BlockRecord* const trace, unsigned* const results) {
    unsigned long long const begin = moment();
    for_each_replication(p.size, [&](unsigned long long index) { run_replication<Model, Engine>(p, index, results); });
    __syncthreads();
    if (simt::cuda::thread_rank() == 0) {
        unsigned multiprocessor = 0;
        asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
        trace[simt::cuda::block_rank()] = {begin, moment(), multiprocessor};
    }
}

using TracedKernel = void (*)(JobParameters, BlockRecord*, unsigned*);
using BlockTrace = std::vector<BlockRecord>;

class BlockTraceCase : public JobCase {
public:
    BlockTraceCase(TracedKernel kernel, unsigned block, Job const& job)
        : JobCase(job), kernel_(kernel), trace_(blocks(job, block)) {
        shape_.block.x = block;
        shape_.grid.x = static_cast<unsigned>(trace_.size());
    }

    void run(simt::Stream stream) override {
        simt::cuda::launch("noted_warps", kernel_, shape_, stream, parameters(), trace_.data(), JobCase::results());
    }
    using JobCase::results;

    std::vector<simt::KernelAttributes> kernels() const override {
        return {simt::cuda::attributes("noted_warps", kernel_, shape_)};
    }

    // The trace of the last run.
    BlockTrace trace() const { return trace_.to_vector(); }

private:
    static std::size_t blocks(Job const& job, unsigned block) {
        std::uint64_t const warps = block / 32;
        return static_cast<std::size_t>(std::max<std::uint64_t>(1, (job.size() + warps - 1) / warps));
    }

    TracedKernel kernel_;
    simt::cuda::Buffer<BlockRecord> trace_;
    simt::LaunchShape shape_;
};

}  // namespace lockstep::replications::cuda
