#pragma once
// Three ways to sum a number over a warp so that every lane has the sum.

#include "harness/simt/kernel.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

// The butterfly of the slide "Warp sum": five shuffles and additions, unrolled since the warp size is known.
struct ButterflySum {
    __device__ static unsigned sum(unsigned value) {
#pragma unroll
        for (unsigned distance = 16; distance > 0; distance /= 2) {
            value += __shfl_xor_sync(0xFFFFFFFFu, value, static_cast<int>(distance));
        }
        return value;
    }
};

// The same with CUDA's warpSize, which is known at run time alone and leaves a loop (slide "Caveat!").
struct RunTimeButterflySum {
    __device__ static unsigned sum(unsigned value) {
        for (unsigned distance = static_cast<unsigned>(warpSize) / 2; distance > 0; distance /= 2) {
            value += __shfl_xor_sync(0xFFFFFFFFu, value, static_cast<int>(distance));
        }
        return value;
    }
};

// One instruction (REDUX) from compute capability 8.0 on.
struct ReduceSum {
    __device__ static unsigned sum(unsigned value) { return __reduce_add_sync(0xFFFFFFFFu, value); }
};

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
