#pragma once
// Teams of one block or several. Warps exchange their transforms in shared memory, blocks in device memory. The blocks
// of a team wait for one another, so all of them must be resident: the launch is cooperative. The last block to finish
// adds the sums.

#include "kernels/replications/cooperative.hpp"

namespace lockstep::replications {

// Device memory through which the blocks of a team communicate: a transform and sums per block of the job, and two
// counters per replication. The counters are zero before the first launch and are never reset.
struct TeamMemory {
    void* pieces = nullptr;
    void* sums = nullptr;
    unsigned long long* counters = nullptr;
};

}  // namespace lockstep::replications

namespace lockstep::replications::LOCKSTEP_MACHINE {

template <class Model>
struct TeamTile {
    SharedArray<typename Model::Transform, 32> pieces;
    SharedArray<typename Model::Sums, 32> sums;
    SharedArray<typename Model::Transform, 2> team;  // of the blocks before this one, and of all blocks
    Shared<unsigned> last;
    typename Model::Table table;
};

// Returns the composition of the transforms before this lane's in the block, and of all transforms of the block.
template <class Model>
__device__ inline Scanned<Model> scan_block(TeamTile<Model>& tile, typename Model::Transform const& transform) {
    unsigned const warp = warp_id();
    unsigned const lane = lane_id();
    Scanned<Model> scanned = scan_lanes<Model>(transform, 32);
    if (lane == 0)
        tile.pieces[warp] = scanned.all;
    __syncthreads();
    unsigned const warps = warps_in_block();  // a power of two
    typename Model::Transform mine = Model::identity();
    if (lane < warps)
        mine = tile.pieces[lane];
    Scanned<Model> const of_warps = scan_lanes<Model>(mine, warps);
    auto const from = [&](typename Model::Transform const& value_there, unsigned source) {
        return Model::exchange(value_there,
                               [&](auto value) { return __shfl_sync(full_warp, value, static_cast<int>(source)); });
    };
    return {Model::compose(from(of_warps.before, warp), scanned.before), from(of_warps.all, 0)};
}

// Returns the sum over the block to its first thread.
template <class Model>
__device__ inline typename Model::Sums add_block(TeamTile<Model>& tile, typename Model::Sums sums) {
    sums = add_lanes<Model>(sums, 32);
    __syncthreads();
    if (lane_id() == 0)
        tile.sums[warp_id()] = sums;
    __syncthreads();
    typename Model::Sums mine = {};
    if (lane_id() < warps_in_block()) {
        mine = tile.sums[lane_id()];
    }
    return add_lanes<Model>(mine, warps_in_block());
}

// Extends `scanned` from the block to the team: prepends the transforms of the blocks before this one, and composes
// those of all blocks. Waits for the other blocks of the team.
template <class Model>
__device__ inline Scanned<Model> scan_team(TeamTile<Model>& tile, TeamMemory const& memory, unsigned long long team,
                                           unsigned blocks, unsigned block, Scanned<Model> const& scanned) {
    auto* const transforms = static_cast<typename Model::Transform*>(memory.pieces) + team * blocks;
    if (thread_rank() == 0) {
        transforms[block] = scanned.all;
        unsigned long long* const arrivals = memory.counters + 2 * team;
        unsigned long long const ticket = add_release_acquire(arrivals, 1ull);
        unsigned long long const target = (ticket / blocks + 1) * blocks;
        while (load_acquire(arrivals) < target)
            __nanosleep(20);
        typename Model::Transform before = Model::identity();
        typename Model::Transform all = Model::identity();
        for (unsigned i = 0; i < blocks; ++i) {
            if (i == block)
                before = all;
            all = Model::compose(all, transforms[i]);
        }
        tile.team[0] = before;
        tile.team[1] = all;
    }
    __syncthreads();
    typename Model::Transform const before = tile.team[0];
    typename Model::Transform const all = tile.team[1];
    return {Model::compose(before, scanned.before), all};
}

// Adds the sums of the team's blocks in the last block to arrive. Returns true in that block; `sums` of its first
// thread then holds the result.
template <class Model>
__device__ inline bool add_team(TeamTile<Model>& tile, TeamMemory const& memory, unsigned long long team,
                                unsigned blocks, unsigned block, typename Model::Sums& sums) {
    auto* const block_sums = static_cast<typename Model::Sums*>(memory.sums) + team * blocks;
    if (thread_rank() == 0) {
        block_sums[block] = sums;
        unsigned long long const ticket = add_release_acquire(memory.counters + 2 * team + 1, 1ull);
        tile.last = ticket % blocks == blocks - 1 ? 1u : 0u;
    }
    __syncthreads();
    unsigned const last = tile.last;
    if (last == 0)
        return false;
    sums = {};
    for (unsigned i = thread_rank(); i < blocks; i += threads_in_block()) {
        sums = Model::add(sums, block_sums[i]);
    }
    sums = add_block<Model>(tile, sums);
    return true;
}

// Block b works on replication b / team.blocks. The grid has at least team.blocks * p.size blocks.
template <class Model, class Engine>
__global__ void __launch_bounds__(1024)
    cooperative_block(__grid_constant__ JobParameters const p,
                      __grid_constant__ TeamParameters<typename Engine::JumpAhead> const team,
                      __grid_constant__ TeamMemory const memory, unsigned* const results) {
    auto& tile = shared_memory<TeamTile<Model>>();
    unsigned const number = block_rank();
    unsigned long long const index = number / team.blocks;
    unsigned const block = number % team.blocks;
    if (index >= p.size)
        return;
    Replication const replication = replication_of(p, index);
    Share<Model, Engine> share = share_of<Model, Engine>(p, team, replication, block, thread_rank());
    auto* const table = table_for<Model>(filled<Model>(&tile.table, p, team.run), p, replication.point);
    Scanned<Model> scanned = {Model::identity(), Model::identity()};
    typename Model::State state = share.start;
    typename Model::Sums sums = {};
    if constexpr (Model::has_past) {
        typename Model::template Kept<Engine> kept(share.stream);
        scanned = scan_block<Model>(tile, Model::piece(replication.point, share.items, kept));
        if (team.blocks > 1)
            scanned = scan_team<Model>(tile, memory, index, team.blocks, block, scanned);
        state = Model::apply(share.start, scanned.before);
        Model::finish(table, replication.point, state, sums, share.items, kept);
    } else {
        Model::run_together(table, replication.point, share.stream, state, sums, share.items);
    }
    sums = add_block<Model>(tile, sums);
    if (team.blocks > 1 && !add_team<Model>(tile, memory, index, team.blocks, block, sums))
        return;
    if (thread_rank() == 0) {
        Model::write(replication.point, Model::apply(share.start, scanned.all), sums,
                     results + index * Model::words_per_result);
    }
}

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
