#pragma once
// Maxima, sums and ranks over the lanes of a block, for the scheduler of the engine `fast`. Every thread of the block
// calls them. Each has a barrier between the writes of the warps and the reads of all threads. The caller needs another
// barrier before it uses the same shared array again.

#include "harness/simt/kernel.hpp"
#include "harness/simt/warp.hpp"

namespace lockstep::term_rewriting::fast::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

// One word per warp of the largest block.
template <class Word>
using OfEachWarp = SharedArray<Word, 32>;

// The calling lane's place among the idle lanes, and sums over the lanes before the calling lane and over all lanes.
struct BlockRanks {
    unsigned place;       // in order of lanes, or first those of warps with the fewest busy lanes
    unsigned idle_warps;  // warps without a busy lane
    unsigned calls_before;
    unsigned calls;  // of the whole block
    unsigned preferred_before;
    unsigned preferred;
};

__device__ inline unsigned largest_in_block(OfEachWarp<unsigned>& of_warps, unsigned value) {
    unsigned const of_warp = __reduce_max_sync(full_warp, value);
    if (lane_id() == 0)
        of_warps[warp_id()] = of_warp;
    __syncthreads();
    unsigned largest = 0;
    for (unsigned warp = 0; warp < warps_in_block(); ++warp) {
        unsigned const other = of_warps[warp];
        largest = other > largest ? other : largest;
    }
    return largest;
}

// With `warps_first`, work goes to an idle warp before it goes to a warp that has work. A warp whose lanes are at
// different program counters serves them in turn, so two lanes of one warp take as long as one after the other. The
// places sort idle lanes by the number of lanes of their warp that are busy or come before them, then by warp.
__device__ inline BlockRanks rank_in_block(OfEachWarp<unsigned long long>& of_warps, bool is_idle, unsigned calls,
                                           unsigned preferred, bool warps_first) {
    constexpr unsigned bits = 24;  // enough if every word of every stack were a call
    unsigned long long const value = static_cast<unsigned long long>(calls) << (16 + bits) |
                                     static_cast<unsigned long long>(preferred) << 16 | (is_idle ? 1 : 0);
    unsigned long long const sum = inclusive_sum(value);
    if (lane_id() == warp_size - 1)
        of_warps[warp_id()] = sum;
    __syncthreads();
    unsigned long long before = sum - value;
    unsigned long long all = 0;
    unsigned const idle_here = static_cast<unsigned>(of_warps[warp_id()] & 0xffff);
    unsigned const level = warp_size - idle_here + static_cast<unsigned>(before & 0xffff);
    unsigned spread = 0;
    unsigned idle_warps = 0;
    for (unsigned warp = 0; warp < warps_in_block(); ++warp) {
        unsigned long long const of_warp = of_warps[warp];
        before += warp < warp_id() ? of_warp : 0;
        all += of_warp;
        // The warp's idle lanes have the levels warp_size - idle to warp_size - 1.
        unsigned const idle = static_cast<unsigned>(of_warp & 0xffff);
        unsigned const end = level + (warp < warp_id() ? 1 : 0) + idle;
        spread += end > warp_size ? (end - warp_size < idle ? end - warp_size : idle) : 0;
        idle_warps += idle == warp_size ? 1 : 0;
    }
    constexpr unsigned mask = (1u << bits) - 1;
    return {warps_first ? spread : static_cast<unsigned>(before & 0xffff),
            idle_warps,
            static_cast<unsigned>(before >> (16 + bits)),
            static_cast<unsigned>(all >> (16 + bits)),
            static_cast<unsigned>(before >> 16) & mask,
            static_cast<unsigned>(all >> 16) & mask};
}

// Returns the block's sum in thread 0, and 0 in the others.
__device__ inline unsigned long long sum_in_first_thread(OfEachWarp<unsigned long long>& of_warps,
                                                         unsigned long long value) {
    value = first_lane_sum(value);
    if (lane_id() == 0)
        of_warps[warp_id()] = value;
    __syncthreads();
    unsigned long long sum = 0;
    for (unsigned warp = 0; thread_rank() == 0 && warp < warps_in_block(); ++warp)
        sum += of_warps[warp];
    return sum;
}

}  // namespace lockstep::term_rewriting::fast::LOCKSTEP_MACHINE
