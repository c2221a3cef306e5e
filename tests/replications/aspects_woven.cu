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




__global__ void draw_first(Counter size, unsigned* words, Counter* counts) { atomicAdd(&(counts[0]), 1ull);if ((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % warpSize < 4) { unsigned const warpIdx = (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)) * ((blockDim.x * blockDim.y * blockDim.z) / warpSize * 4 + ((blockDim.x * blockDim.y * blockDim.z) % warpSize < 4 ? (blockDim.x * blockDim.y * blockDim.z) % warpSize : 4u)) + (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / warpSize * 4 + (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % warpSize; static_cast<void>(warpIdx); for (unsigned long long i = warpIdx; i < (size); i += static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z * ((blockDim.x * blockDim.y * blockDim.z) / warpSize * 4 + ((blockDim.x * blockDim.y * blockDim.z) % warpSize < 4 ? (blockDim.x * blockDim.y * blockDim.z) % warpSize : 4u))) { Philox draws = Philox::stream(7, i, 0); do { atomicAdd(&(counts[1]), 1ull);
    if (i == 3)
        continue;
    words[i] = draws();
} while (false); }}}

// A break ends one replication, not the others of its lane.




__global__ void draw_until_break(Counter size, unsigned* words, Counter* counts) { atomicAdd(&(counts[0]), 1ull);if ((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % warpSize < 3) { unsigned const warpIdx = (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)) * ((blockDim.x * blockDim.y * blockDim.z) / warpSize * 3 + ((blockDim.x * blockDim.y * blockDim.z) % warpSize < 3 ? (blockDim.x * blockDim.y * blockDim.z) % warpSize : 3u)) + (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / warpSize * 3 + (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % warpSize; static_cast<void>(warpIdx); for (unsigned long long i = warpIdx; i < (size); i += static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z * ((blockDim.x * blockDim.y * blockDim.z) / warpSize * 3 + ((blockDim.x * blockDim.y * blockDim.z) % warpSize < 3 ? (blockDim.x * blockDim.y * blockDim.z) % warpSize : 3u))) { do { atomicAdd(&(counts[1]), 1ull); auto const lockstep_after_7 = [&]() { words[i] += 1; }; struct LockstepAfter_7 { decltype(lockstep_after_7) const& call; __device__ ~LockstepAfter_7() { call(); } } const lockstep_guard_7{lockstep_after_7};
    for (unsigned j = 0; j < 2; ++j)
        break;
    if (i % 3 == 1)
        break;
    words[i] += 1;
} while (false); }}}



#if defined(__CUDACC__)

__global__ void leave_early(Counter* counts) { atomicAdd(&counts[0], Counter{1}); auto const lockstep_after_9 = [&]() { atomicAdd(&counts[1], Counter{1}); }; struct LockstepAfter_9 { decltype(lockstep_after_9) const& call; __device__ ~LockstepAfter_9() { call(); } } const lockstep_guard_9{lockstep_after_9}; long long const lockstep_began_10 = clock64(); auto const lockstep_after_10 = [&]() { atomicAdd(&(counts[2]), static_cast<unsigned long long>(clock64() - lockstep_began_10)); }; struct LockstepAfter_10 { decltype(lockstep_after_10) const& call; __device__ ~LockstepAfter_10() { call(); } } const lockstep_guard_10{lockstep_after_10};
#else
__global__ void leave_early(Counter* counts) { atomicAdd(&counts[0], Counter{1}); auto const lockstep_after_12 = [&]() { atomicAdd(&counts[1], Counter{1}); }; struct LockstepAfter_12 { decltype(lockstep_after_12) const& call; __device__ ~LockstepAfter_12() { call(); } } const lockstep_guard_12{lockstep_after_12};
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

Drawn drawn_by(char const* name, void (*kernel)(Counter, unsigned*, Counter*), simt::LaunchShape const& shape,
               Counter size) {
    Buffer<unsigned> words(size);
    Buffer<Counter> counts(2);
    words.fill_bytes(0);
    counts.fill_bytes(0);
    launch(name, kernel, shape, {}, size, words.data(), counts.data());
    synchronize({});
    std::vector<Counter> const found = counts.to_vector();
    return {words.to_vector(), found[0], found[1]};
}

}  // namespace

Drawn draw(unsigned blocks, unsigned threads, Counter size) {
    return drawn_by("draw_first", draw_first, shape_of(blocks, threads), size);
}

Drawn draw_with_breaks(unsigned blocks, unsigned threads, Counter size) {
    return drawn_by("draw_until_break", draw_until_break, shape_of(blocks, threads), size);
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
