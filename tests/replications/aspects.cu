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

// @count: counts[0]
// @warp(lanes=4, index=i, size=size, stream=draws, engine=Philox, seed=7)
// @count: counts[1]
__global__ void draw_first(Counter size, unsigned* words, Counter* counts) {
    if (i == 3)
        continue;
    words[i] = draws();
}

// A break ends one replication, not the others of its lane.
// @count: counts[0]
// @warp(lanes=3, index=i, size=size)
// @count: counts[1]
// @after: words[i] += 1
__global__ void draw_until_break(Counter size, unsigned* words, Counter* counts) {
    for (unsigned j = 0; j < 2; ++j)
        break;
    if (i % 3 == 1)
        break;
    words[i] += 1;
}

// @before: atomicAdd(&counts[0], Counter{1})
// @after: atomicAdd(&counts[1], Counter{1})
#if defined(__CUDACC__)
// @time: counts[2]
__global__ void leave_early(Counter* counts) {
#else
__global__ void leave_early(Counter* counts) {
#endif
    if (threadIdx.x % 2 == 0)
        return;
    atomicAdd(&counts[3], Counter{1});
}

__global__ void sum_of_lanes(unsigned* sums) {
    // @warp(cooperative): begin
    unsigned const sum = __reduce_add_sync(full_warp, laneIdx);
    if (laneIdx == 0)
        sums[warpIdx] = sum;
    // @warp: end
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
