#pragma once
// Positions of what a section keeps or creates: counts per tile of 1024 elements, their exclusive sums in the order of
// the tiles, and sums within a block. So results are dense, in order, and the same on every machine. Include it in
// `.cu` files.
//
// The paper's `select` (Section 3) and populations (its future work, Section 7.2) need them. What diverges: nothing.
// Bytes: scan_tiles loads and stores 4 per tile. Operations per block_scan: five shuffles and eight loads from shared
// memory per lane, and two barriers.
//
// Preconditions: compaction_block threads in one dimension, also as the argument `block`. A tile's count is less than
// 2^22, since the sum over the 1024 tiles of a turn has 32 bits.

#include <cstdint>
#include <span>

#include "harness/bench/error.hpp"
#include "harness/simt/buffer.hpp"
#include "harness/simt/launch.hpp"
#include "harness/simt/warp.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

inline constexpr unsigned compaction_block = 256;
inline constexpr unsigned compaction_tile = 1024;

struct BlockSums {
    SharedArray<unsigned, compaction_block / 32> warps;
};

struct BlockScan {
    unsigned before;  // the sum over the block's earlier lanes
    unsigned total;   // over all of its lanes
};

// All lanes of the block must call it.
__device__ inline BlockScan block_scan(unsigned value, BlockSums& shared) {
    unsigned const inclusive = inclusive_sum(value);
    if (threadIdx.x % 32 == 31) {
        shared.warps[threadIdx.x / 32] = inclusive;
    }
    __syncthreads();
    BlockScan found = {inclusive - value, 0};
    for (unsigned warp = 0; warp < compaction_block / 32; ++warp) {
        unsigned const sum = shared.warps[warp];
        found.before += warp < threadIdx.x / 32 ? sum : 0;
        found.total += sum;
    }
    __syncthreads();
    return found;
}

// A sum that does not fit 32 bits.
inline constexpr unsigned too_large_sum = ~0u;

// Replaces the counts of tiles by the sums of those before, and stores the sum of all after them. One block, four tiles
// per lane and turn: a turn serves a million elements.
template <unsigned block>
__global__ void __launch_bounds__(block) scan_tiles_kernel(unsigned* const counts, unsigned tiles) {
    auto& shared = shared_memory<BlockSums>();
    unsigned long long carried = 0;
    for (unsigned begin = 0; begin < tiles; begin += 4 * block) {
        unsigned const first = begin + 4 * threadIdx.x;
        unsigned own[4] = {};
        unsigned sum = 0;
        for (unsigned i = 0; i < 4; ++i) {
            own[i] = first + i < tiles ? counts[first + i] : 0;
            sum += own[i];
        }
        BlockScan const scan = block_scan(sum, shared);
        unsigned start = static_cast<unsigned>(carried) + scan.before;
        for (unsigned i = 0; i < 4; ++i) {
            if (first + i < tiles) {
                counts[first + i] = start;
            }
            start += own[i];
        }
        carried += scan.total;
    }
    if (threadIdx.x == 0) {
        counts[tiles] = carried < too_large_sum ? static_cast<unsigned>(carried) : too_large_sum;
    }
}

inline unsigned tiles_of(std::uint64_t elements) {
    return static_cast<unsigned>(simt::ceil_div(elements, std::uint64_t{compaction_tile}));
}

inline simt::LaunchShape compaction_shape(unsigned tiles) {
    simt::LaunchShape shape = {.grid = {tiles}, .block = {compaction_block}};
    shape.shared_bytes = sizeof(BlockSums);
    return shape;
}

// `counts` has a count per tile and room for the total, which is returned when the stream is idle. Throws bench::Error
// if the total is not below 2^32 - 1.
inline unsigned scan_tiles(Buffer<unsigned>& counts, unsigned tiles, simt::Stream stream) {
    launch("scan_tiles", scan_tiles_kernel<compaction_block>, compaction_shape(1), stream, counts.data(), tiles);
    synchronize(stream);
    unsigned total = 0;
    counts.download(std::span<unsigned>(&total, 1), tiles);
    if (total == too_large_sum)
        throw bench::Error("a section makes too many elements", "their indices have 32 bits", "Divide the section.");
    return total;
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
