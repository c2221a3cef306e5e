#pragma once
// Teams of one block or several for long runs of the random walk (common/replications/long_walk.hpp), which start from
// windows of directions instead of jumping among words. Otherwise as cooperative_block.hpp.
//
// Preconditions: taus88; every point has the chunks of the job's first one.

#include "common/replications/long_walk.hpp"
#include "kernels/replications/cooperative_block.hpp"

namespace lockstep::replications {

// In device memory.
struct LongWalkTables {
    WindowTable const* windows = nullptr;
    unsigned short const* moves = nullptr;
};

}  // namespace lockstep::replications

namespace lockstep::replications::LOCKSTEP_MACHINE {

// The block meets (scan_block) before it uses the table.
__device__ inline void copy_moves(LongWalk::Table& table, unsigned short const* moves) {
#if defined(__CUDACC__)
    constexpr unsigned words = sizeof(table.moves) / sizeof(uint4);
    auto const* const from = reinterpret_cast<uint4 const*>(moves);
    auto* const to = reinterpret_cast<uint4*>(table.moves);
#pragma unroll 4
    for (unsigned i = thread_rank(); i < words; i += threads_in_block())
        to[i] = from[i];
#else
    for (unsigned i = thread_rank(); i < LongWalk::entries; i += threads_in_block())
        table.moves[i] = moves[i];
#endif
}

// Block b works on replication b / team.blocks. The grid has at least team.blocks * p.size blocks.
__global__ void __launch_bounds__(1024)
    long_walk(__grid_constant__ JobParameters const p,
              __grid_constant__ TeamParameters<typename Windows::JumpAhead> const team,
              __grid_constant__ LongWalkTables const tables, __grid_constant__ TeamMemory const memory,
              unsigned* const results) {
    auto& tile = shared_memory<TeamTile<LongWalk>>();
    unsigned const number = block_rank();
    unsigned long long const index = number / team.blocks;
    unsigned const block = number % team.blocks;
    if (index >= p.size)
        return;
    bool const in_blocks = team.blocks > 1;
    // Loaded first, so that it arrives while the stream is computed.
    unsigned const launch = in_blocks ? memory.launches[number] + 1 : 0;
    unsigned const rank = block * team.lanes + thread_rank();
    Windows::JumpAhead const jump = team.lane_jumps[rank];
    Replication const replication = replication_of(p, index);
    copy_moves(tile.table, tables.moves);
    auto stream = stream_of<random::LOCKSTEP_MACHINE::Taus88>(p, replication);
    LongWalk::Kept kept(WindowDirections(tables.windows, stream, jump, lane_id()));
    LongWalk::State const start = LongWalk::begin(replication.point, stream);
    unsigned long long const first = static_cast<unsigned long long>(rank) * team.run;
    unsigned const all = replication.point.items;
    unsigned const left = first < all ? all - static_cast<unsigned>(first) : 0;
    unsigned const items = left < team.run ? left : team.run;
    TeamMessages<LongWalk> const messages = {memory.messages + index * team.blocks * TeamMessages<LongWalk>::words,
                                             launch};
    Scanned<LongWalk> scanned = scan_block<LongWalk>(tile, LongWalk::piece(items, kept));
    if (in_blocks)
        scanned = scan_team<LongWalk>(tile, messages, team.blocks, block, scanned);
    LongWalk::State const state = LongWalk::apply(start, scanned.before);
    LongWalk::Sums sums =
        add_block<LongWalk>(tile, LongWalk::finish(tile.table, replication.point, state, items, kept));
    if (in_blocks) {
        if (thread_rank() == 0)
            memory.launches[number] = launch;
        if (!add_waiting_team<LongWalk>(messages, team.blocks, block, sums))
            return;
    }
    if (thread_rank() == 0) {
        LongWalk::write(replication.point, LongWalk::apply(start, scanned.all), sums,
                        results + index * LongWalk::words_per_result);
    }
}

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
