#include "neighbours.hpp"

#include "harness/random/philox.hpp"
#include "harness/simt/buffer.hpp"
#include "harness/simt/launch.hpp"
#include "kernels/random_grids/thread_boards.hpp"
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

// One thread per stream, which has all rows of its board. Fewer random words per board, so many streams are faster.
constexpr unsigned block = 64;
using Engine = lockstep::random::LOCKSTEP_MACHINE::Philox4x32<10>;
using Boards = grids::ThreadBoards<Engine, block>;

__global__ void count_pairs_of_threads(unsigned long long seed, unsigned streams, unsigned length,
                                       lockstep::random_grids::BoardPlan const plan, unsigned* counts) {
    auto& tile = shared_memory<Boards::Tile>();
    unsigned const stream = blockIdx.x * blockDim.x + threadIdx.x;
    if (stream >= streams)
        return;
    Boards boards(tile, Engine::stream(seed, stream, 0));
    for (unsigned board = 0; board < length; ++board) {
        unsigned rows[32];
        for (unsigned& row : rows)
            row = ~0u;  // every site is a candidate
        boards.draw(plan, rows);
        unsigned pairs = 0;
        for (unsigned i = 0; i < 32; ++i) {
            unsigned const right = rows[i] >> 1 | rows[i] << 31;
            pairs += static_cast<unsigned>(__popc(rows[i] & rows[(i + 1) % 32])) +
                     static_cast<unsigned>(__popc(rows[i] & right));
        }
        counts[stream * length + board] = pairs;
    }
}

std::vector<unsigned> pairs_of_threads(unsigned long long seed, unsigned streams, unsigned length, unsigned particles) {
    Buffer<unsigned> counts(std::size_t{streams} * length);
    LaunchShape const shape = {
        .grid = {ceil_div(streams, block)}, .block = {block}, .shared_bytes = sizeof(Boards::Tile)};
    launch("count_pairs_of_threads", count_pairs_of_threads, shape, {}, seed, streams, length,
           lockstep::random_grids::board_plan(1024, particles), counts.data());
    synchronize({});
    return counts.to_vector();
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
