#pragma once
// Maxima, sums and ranks over the lanes of a block, for the scheduler of the engine `fast`. Every thread of the block
// calls them; a barrier stands between what the warps write and what all read, and callers keep one before the next
// use.

#include "harness/simt/kernel.hpp"
#include "harness/simt/warp.hpp"

namespace lockstep::term_rewriting::fast::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

// A word for each warp of the largest block.
template <class Word>
using OfEachWarp = SharedArray<Word, 32>;

// Sums over the lanes before this one, and over all.
struct BlockRanks {
    unsigned idle_before;
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

__device__ inline BlockRanks rank_in_block(OfEachWarp<unsigned long long>& of_warps, bool is_idle, unsigned calls,
                                           unsigned preferred) {
    constexpr unsigned bits = 24;  // enough for every word of every stack
    unsigned long long const value = static_cast<unsigned long long>(calls) << (16 + bits) |
                                     static_cast<unsigned long long>(preferred) << 16 | (is_idle ? 1 : 0);
    unsigned long long const sum = inclusive_sum(value);
    if (lane_id() == warp_size - 1)
        of_warps[warp_id()] = sum;
    __syncthreads();
    unsigned long long before = sum - value;
    unsigned long long all = 0;
    for (unsigned warp = 0; warp < warps_in_block(); ++warp) {
        unsigned long long const of_warp = of_warps[warp];
        before += warp < warp_id() ? of_warp : 0;
        all += of_warp;
    }
    constexpr unsigned mask = (1u << bits) - 1;
    return {static_cast<unsigned>(before & 0xffff), static_cast<unsigned>(before >> (16 + bits)),
            static_cast<unsigned>(all >> (16 + bits)), static_cast<unsigned>(before >> 16) & mask,
            static_cast<unsigned>(all >> 16) & mask};
}

// The block's sum in thread 0, in the others 0.
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
