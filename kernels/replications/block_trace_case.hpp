#pragma once
// A warp per replication, where each block records its multiprocessor and its start and end times. The kernel reads the
// PTX registers %smid and %globaltimer, which the emulator does not have. Include it in `.cuda.cu` files.

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

class BlockTraceCase : public JobCase<BlockRecord*> {
public:
    BlockTraceCase(TracedKernel kernel, unsigned block, Job const& job)
        : BlockTraceCase(kernel, {.grid = {blocks(job, block)}, .block = {block}}, job,
                         std::make_shared<TraceBuffer>(blocks(job, block))) {}

    // The records of the last run.
    BlockTrace trace() const { return trace_->to_vector(); }

private:
    using TraceBuffer = simt::cuda::Buffer<BlockRecord>;

    BlockTraceCase(TracedKernel kernel, simt::LaunchShape const& shape, Job const& job,
                   std::shared_ptr<TraceBuffer> trace)
        : JobCase(job, "noted_warps", kernel, shape, std::tuple(trace->data()), trace), trace_(std::move(trace)) {}

    static unsigned blocks(Job const& job, unsigned block) {
        std::uint64_t const warps = block / 32;
        return static_cast<unsigned>(std::max<std::uint64_t>(1, (job.size() + warps - 1) / warps));
    }

    std::shared_ptr<TraceBuffer> trace_;
};

inline TracedKernel traced_kernel_of(Job const& job) {
    return with_model_and_engine(job.model, job.engine,
                                 [&]<class M, class E>() -> TracedKernel { return noted_warps<M, E>; });
}

// The start time of the first block, in nanoseconds.
inline unsigned long long begin_of(BlockTrace const& trace) {
    unsigned long long first = ~0ull;
    for (BlockRecord const& record : trace)
        first = std::min(first, record.begin);
    return first;
}

inline double duration(BlockTrace const& trace) {
    unsigned long long last = 0;
    for (BlockRecord const& record : trace)
        last = std::max(last, record.end);
    return static_cast<double>(last - begin_of(trace));
}

}  // namespace lockstep::replications::cuda
