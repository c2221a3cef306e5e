#include "neighbours.hpp"

#include "harness/random/philox.hpp"
#include "harness/simt/buffer.hpp"
#include "harness/simt/launch.hpp"
#include "kernels/random_grids/warpwise.hpp"

namespace neighbours::LOCKSTEP_MACHINE {

using namespace lockstep::simt::LOCKSTEP_MACHINE;
namespace grids = lockstep::random_grids::LOCKSTEP_MACHINE;

// One warp per stream, one row per lane: rows stay in registers, and the next row is in the next lane.
__global__ void count_pairs(unsigned long long seed, unsigned streams, unsigned length, unsigned particles,
                            unsigned* counts) {
    unsigned const stream = block_rank() * warps_in_block() + warp_id();
    if (stream >= streams)
        return;
    unsigned const lane = lane_id();
    auto engine = lockstep::random::LOCKSTEP_MACHINE::Philox4x32<10>::stream(seed, stream, lane);
    for (unsigned board = 0; board < length; ++board) {
        unsigned const row = grids::halve_row<grids::ReduceSum>(engine, ~0u, particles);
        unsigned const below = __shfl_sync(full_warp, row, static_cast<int>((lane + 1) % 32));
        unsigned const right = row >> 1 | row << 31;
        unsigned const mine = static_cast<unsigned>(__popc(row & below)) + static_cast<unsigned>(__popc(row & right));
        unsigned const all = grids::ReduceSum::sum(mine);
        if (lane == 0)
            counts[stream * length + board] = all;
    }
}

std::vector<unsigned> pairs(unsigned long long seed, unsigned streams, unsigned length, unsigned particles) {
    Buffer<unsigned> counts(std::size_t{streams} * length);
    constexpr unsigned warps_per_block = 4;
    LaunchShape const shape = {.grid = {ceil_div(streams, warps_per_block)}, .block = {32 * warps_per_block}};
    launch("count_pairs", count_pairs, shape, {}, seed, streams, length, particles, counts.data());
    synchronize({});
    return counts.to_vector();
}

}  // namespace neighbours::LOCKSTEP_MACHINE
