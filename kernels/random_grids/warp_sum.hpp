#pragma once
// Three ways to sum a number over a warp; every lane gets the sum.

#include "harness/simt/kernel.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

// Butterfly of the slide "Warp sum": five shuffles and additions, unrolled because the warp size is known.
struct ButterflySum {
    __device__ static unsigned sum(unsigned value) {
#pragma unroll
        for (unsigned distance = 16; distance > 0; distance /= 2) {
            value += __shfl_xor_sync(0xFFFFFFFFu, value, static_cast<int>(distance));
        }
        return value;
    }
};

// The same with CUDA's warpSize, which is known only at run time, so that a loop remains (slide "Caveat!").
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
