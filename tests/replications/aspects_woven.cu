#line 1 "tests/replications/aspects.cu"
// clang-format off
// Kernels with every annotation. `lockstep weave` converts this file into aspects_woven.cu, which is compiled.

#include "tests/replications/aspects.hpp"

#include "harness/random/philox.hpp"
#include "harness/simt/buffer.hpp"
#include "harness/simt/launch.hpp"

namespace lockstep::replications::tests::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;
using Philox = random::LOCKSTEP_MACHINE::Philox4x32<10>;
using Counter = unsigned long long;




__global__ void draw_first(Counter size, unsigned* words, Counter* counts) { atomicAdd(&(counts[0]), 1ull);if ((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % warpSize < 4) { unsigned const warpIdx = ((blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)) * ((blockDim.x * blockDim.y * blockDim.z + warpSize - 1) / warpSize) + (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / warpSize) * 4 + (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % warpSize; static_cast<void>(warpIdx); for (unsigned long long i = warpIdx; i < (size); i += static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z * ((blockDim.x * blockDim.y * blockDim.z + warpSize - 1) / warpSize) * 4) { Philox draws = Philox::stream(7, i, 0); atomicAdd(&(counts[1]), 1ull);
    if (i == 3)
        continue;
    words[i] = draws();
}}}



#if defined(__CUDACC__)

__global__ void leave_early(Counter* counts) { atomicAdd(&counts[0], Counter{1}); auto const lockstep_after_26 = [&]() { atomicAdd(&counts[1], Counter{1}); }; struct LockstepAfter_26 { decltype(lockstep_after_26) const& call; __device__ ~LockstepAfter_26() { call(); } } const lockstep_guard_26{lockstep_after_26}; long long const lockstep_began_28 = clock64(); auto const lockstep_after_28 = [&]() { atomicAdd(&(counts[2]), static_cast<unsigned long long>(clock64() - lockstep_began_28)); }; struct LockstepAfter_28 { decltype(lockstep_after_28) const& call; __device__ ~LockstepAfter_28() { call(); } } const lockstep_guard_28{lockstep_after_28};
#else
__global__ void leave_early(Counter* counts) { atomicAdd(&counts[0], Counter{1}); auto const lockstep_after_26 = [&]() { atomicAdd(&counts[1], Counter{1}); }; struct LockstepAfter_26 { decltype(lockstep_after_26) const& call; __device__ ~LockstepAfter_26() { call(); } } const lockstep_guard_26{lockstep_after_26};
#endif
    if (threadIdx.x % 2 == 0)
        return;
    atomicAdd(&counts[3], Counter{1});
}

__global__ void sum_of_lanes(unsigned* sums) {
    { unsigned const warpIdx = (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)) * ((blockDim.x * blockDim.y * blockDim.z + warpSize - 1) / warpSize) + (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / warpSize; static_cast<void>(warpIdx); unsigned const laneIdx = (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % warpSize; static_cast<void>(laneIdx);
    unsigned const sum = __reduce_add_sync(full_warp, laneIdx);
    if (laneIdx == 0)
        sums[warpIdx] = sum;
    }
}

namespace {

simt::LaunchShape shape_of(unsigned blocks, unsigned threads) {
    simt::LaunchShape shape;
    shape.grid.x = blocks;
    shape.block.x = threads;
    return shape;
}

}  // namespace

Drawn draw(unsigned blocks, unsigned threads, Counter size) {
    Buffer<unsigned> words(size);
    Buffer<Counter> counts(2);
    words.fill_bytes(0);
    counts.fill_bytes(0);
    launch("draw_first", draw_first, shape_of(blocks, threads), {}, size, words.data(), counts.data());
    synchronize({});
    std::vector<Counter> const found = counts.to_vector();
    return {words.to_vector(), found[0], found[1]};
}

std::vector<Counter> leave(unsigned blocks, unsigned threads) {
    Buffer<Counter> counts(4);
    counts.fill_bytes(0);
    launch("leave_early", leave_early, shape_of(blocks, threads), {}, counts.data());
    synchronize({});
    return counts.to_vector();
}

std::vector<unsigned> sum_lanes(unsigned blocks, unsigned threads) {
    Buffer<unsigned> sums(blocks * threads / 32);
    launch("sum_of_lanes", sum_of_lanes, shape_of(blocks, threads), {}, sums.data());
    synchronize({});
    return sums.to_vector();
}

}  // namespace lockstep::replications::tests::LOCKSTEP_MACHINE
