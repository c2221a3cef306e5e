#pragma once
// Lanes, warps and the grid barrier, shared by CUDA and the emulator. Only the kernel header includes this file.

#include "harness/simt/ceil_div.hpp"

namespace lockstep::simt::LOCKSTEP_MACHINE {

using simt::ceil_div;
using simt::round_up;

inline constexpr unsigned warp_size = 32;
inline constexpr unsigned full_warp = 0xFFFFFFFFu;

// Rank of the calling thread in its block, with x varying fastest. Consecutive ranks form warps in blocks of any shape.
__device__ inline unsigned thread_rank() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }

__device__ inline unsigned threads_in_block() { return blockDim.x * blockDim.y * blockDim.z; }
__device__ inline unsigned lane_id() { return thread_rank() % warp_size; }
__device__ inline unsigned warp_id() { return thread_rank() / warp_size; }
__device__ inline unsigned warps_in_block() { return ceil_div(threads_in_block(), warp_size); }

__device__ inline unsigned block_rank() { return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z); }
__device__ inline unsigned blocks_in_grid() { return gridDim.x * gridDim.y * gridDim.z; }

#if !defined(__CUDACC__)
__device__ inline unsigned long long clock_ticks() { return 0; }
#endif

// Waits until every block of a cooperative launch has arrived. `arrivals` is a counter in device memory that must be
// zero before the launch and must not be used for anything else. It counts all arrivals and is never reset; 64 bits are
// enough that it never wraps.
__device__ inline void grid_barrier(unsigned long long* arrivals) {
    __syncthreads();
    if (thread_rank() == 0) {
        unsigned long long const blocks = blocks_in_grid();
        unsigned long long const ticket = add_release_acquire(arrivals, 1ull);
        unsigned long long const target = (ticket / blocks + 1) * blocks;
        while (load_acquire(arrivals) < target) {
            __nanosleep(32);
        }
    }
    __syncthreads();
}

}  // namespace lockstep::simt::LOCKSTEP_MACHINE
