#pragma once
// How streams are dealt to the threads of kernels that copy tables to shared memory first: in groups of 32, to blocks
// in turn. Each warp that draws gets a group per round, except possibly in the last round. The other warps only copy
// tables.

#include "harness/simt/kernel.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

// Calls draw(stream) for each stream of this thread.
template <class Draw>
__device__ __forceinline__ void for_each_stream(unsigned long long streams, Draw const& draw) {
    unsigned const groups = static_cast<unsigned>((streams + 31) / 32);
    unsigned const warps = gridDim.x * (blockDim.x / 32);
    unsigned const rounds = (groups + warps - 1) / warps;
    unsigned const threads = (groups + gridDim.x * rounds - 1) / (gridDim.x * rounds) * 32;  // of a block that draw
    if (threadIdx.x >= threads)
        return;
    for (unsigned round = 0; round < rounds; ++round) {
        unsigned long long const stream =
            (static_cast<unsigned long long>(round) * gridDim.x + blockIdx.x) * threads + threadIdx.x;
        if (stream < streams)
            draw(stream);
    }
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
