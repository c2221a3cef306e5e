// Köster, Groß, Krüger 2020, Algorithms 3 and 4: one warp per state; the enabled values of all warps of a group are
// compacted through shared memory with a two-level prefix sum.

#include "harness/simt/buffer.hpp"
#include "harness/simt/launch.hpp"
#include "tests/harness/simt/probes/probes.hpp"

namespace lockstep::probes::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

struct Group {
    SharedArray<unsigned, 1024> queue;  // (state in the group) << 16 | value index
    SharedArray<unsigned, 32> warp_totals;
};

struct Rank {
    unsigned offset;  // inclusive prefix sum up to the calling thread
    unsigned total;   // sum over the group
};

__device__ inline unsigned scan_warp(unsigned value) {
    for (unsigned distance = 1; distance < warp_size; distance *= 2) {
        unsigned const below = __shfl_up_sync(full_warp, value, distance);
        if (lane_id() >= distance) {
            value += below;
        }
    }
    return value;
}

// Algorithm 4: scans each warp, then one warp scans the warps' totals.
__device__ inline Rank scan_group(unsigned value, Group& group) {
    unsigned const within = scan_warp(value);
    if (lane_id() == warp_size - 1) {
        group.warp_totals[warp_id()] = within;
    }
    __syncthreads();
    if (warp_id() == 0) {
        unsigned total = 0;
        if (lane_id() < warps_in_block()) {
            total = group.warp_totals[lane_id()];
        }
        total = scan_warp(total);
        group.warp_totals[lane_id()] = total;
    }
    __syncthreads();
    unsigned before = 0;
    if (warp_id() > 0) {
        before = group.warp_totals[warp_id() - 1];
    }
    return {before + within, group.warp_totals[warps_in_block() - 1]};
}

__global__ void compaction_kernel(unsigned* evaluations, unsigned states, unsigned range) {
    auto& group = shared_memory<Group>();
    unsigned const first_state = blockIdx.x * warps_in_block();
    unsigned const state = first_state + warp_id();
    for (unsigned first = 0; first < range; first += warp_size) {
        unsigned const i = first + lane_id();
        bool const enabled = state < states && i < range && is_enabled(state, i);
        Rank const rank = scan_group(enabled ? 1 : 0, group);
        if (enabled) {
            group.queue[rank.offset - 1] = warp_id() << 16 | i;
        }
        __syncthreads();
        if (thread_rank() < rank.total) {
            unsigned const entry = group.queue[thread_rank()];
            atomicAdd(&evaluations[(first_state + (entry >> 16)) * range + (entry & 0xFFFF)], 1u);
        }
        __syncthreads();
    }
}

std::vector<unsigned> compact(unsigned states, unsigned range, unsigned warps) {
    Buffer<unsigned> evaluations(states * range);
    evaluations.fill_bytes(0);
    launch("compaction_kernel", compaction_kernel,
           {.grid = {(states + warps - 1) / warps}, .block = {32, warps}, .shared_bytes = sizeof(Group)}, {},
           evaluations.data(), states, range);
    synchronize({});
    return evaluations.to_vector();
}

}  // namespace lockstep::probes::LOCKSTEP_MACHINE
