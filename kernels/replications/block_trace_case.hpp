#pragma once
// A warp a replication whose blocks note their multiprocessor and their first and last moment. Hardware alone can say
// it, so the emulator has no such kernel; it needs %smid and %globaltimer, which are PTX. For `.cuda.cu` files.

#include <algorithm>
#include <memory>
#include <vector>

#include "common/replications/job_case.hpp"
#include "kernels/replications/for_each_replication.hpp"

namespace lockstep::replications::cuda {

struct BlockNote {
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
    noted_warps(__grid_constant__ JobParameters const p, BlockNote* const notes, unsigned* const results) {
    unsigned long long const begin = moment();
    for_each_replication(p.size, [&](unsigned long long index) { run_replication<Model, Engine>(p, index, results); });
    __syncthreads();
    if (simt::cuda::thread_rank() == 0) {
        unsigned multiprocessor = 0;
        asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
        notes[simt::cuda::block_rank()] = {begin, moment(), multiprocessor};
    }
}

using NotedKernel = void (*)(JobParameters, BlockNote*, unsigned*);
using Notes = std::vector<BlockNote>;

class NotedCase : public JobCase<BlockNote*> {
public:
    NotedCase(NotedKernel kernel, unsigned block, Job const& job)
        : NotedCase(kernel, {.grid = {blocks(job, block)}, .block = {block}}, job,
                    std::make_shared<NoteBuffer>(blocks(job, block))) {}

    // Of the last run.
    Notes notes() const { return notes_->to_vector(); }

private:
    using NoteBuffer = simt::cuda::Buffer<BlockNote>;

    NotedCase(NotedKernel kernel, simt::LaunchShape const& shape, Job const& job, std::shared_ptr<NoteBuffer> notes)
        : JobCase(job, "noted_warps", kernel, shape, std::tuple(notes->data()), notes), notes_(std::move(notes)) {}

    static unsigned blocks(Job const& job, unsigned block) {
        std::uint64_t const warps = block / 32;
        return static_cast<unsigned>(std::max<std::uint64_t>(1, (job.size() + warps - 1) / warps));
    }

    std::shared_ptr<NoteBuffer> notes_;
};

inline NotedKernel noted_kernel_of(Job const& job) {
    return with_model_and_engine(job.model, job.engine,
                                 [&]<class M, class E>() -> NotedKernel { return noted_warps<M, E>; });
}

// Of all blocks, in nanoseconds.
inline unsigned long long begin_of(Notes const& notes) {
    unsigned long long first = ~0ull;
    for (BlockNote const& note : notes)
        first = std::min(first, note.begin);
    return first;
}

inline double duration(Notes const& notes) {
    unsigned long long last = 0;
    for (BlockNote const& note : notes)
        last = std::max(last, note.end);
    return static_cast<double>(last - begin_of(notes));
}

}  // namespace lockstep::replications::cuda
