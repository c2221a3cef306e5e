#pragma once
// Teams of one block or several. Warps exchange their transforms in shared memory, blocks in device memory. If items
// depend on those before them, the blocks of a team wait for one another, so all of them must be resident: the launch
// is cooperative. Then the team's first block adds the sums, otherwise the last block to finish.
//
// What blocks wait for comes in words that carry the number of the launch beside their value. A reader knows from the
// word itself that it is new, so no other access has to be ordered before or after it: a wait takes a store and a load.

#include "kernels/replications/cooperative.hpp"

namespace lockstep::replications {

// Device memory through which the blocks of a team communicate. It is zero before the first launch and never reset.
struct TeamMemory {
    // If blocks wait for one another: messages of the transform and the sums per block of the job, and the number of
    // its launches so far.
    unsigned long long* messages = nullptr;
    unsigned* launches = nullptr;
    // Otherwise: sums per block of the job, and a counter of blocks per replication.
    void* sums = nullptr;
    unsigned long long* finished = nullptr;
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

// A value of 32-bit words, each sent in a word of 64 bits with the number of the launch.
template <class Value>
struct Message {
    static constexpr unsigned words = sizeof(Value) / sizeof(unsigned);
    struct Words {
        unsigned at[words];
    };

    __device__ static void send(unsigned long long* to, unsigned launch, Value const& value) {
        Words const all = __builtin_bit_cast(Words, value);
        for (unsigned i = 0; i < words; ++i)
            store_relaxed(to + i, static_cast<unsigned long long>(launch) << 32 | all.at[i]);
    }

    // Waits for it.
    __device__ static Value receive(unsigned long long const* from, unsigned launch) {
        while (true) {
            Words all;
            bool arrived = true;
            for (unsigned i = 0; i < words; ++i) {
                unsigned long long const word = load_relaxed(from + i);
                arrived = arrived && word >> 32 == launch;
                all.at[i] = static_cast<unsigned>(word);
            }
            if (arrived)
                return __builtin_bit_cast(Value, all);
            __nanosleep(20);
        }
    }
};

// The messages of a team in one launch.
template <class Model>
struct TeamMessages {
    using OfTransform = Message<typename Model::Transform>;
    using OfSums = Message<typename Model::Sums>;
    static constexpr unsigned words = OfTransform::words + OfSums::words;  // per block

    unsigned long long* of_team;
    unsigned launch;

    __device__ unsigned long long* transform_of(unsigned block) const { return of_team + block * words; }
    __device__ unsigned long long* sums_of(unsigned block) const { return transform_of(block) + OfTransform::words; }
};

// The lanes of the first warp that exchange for the blocks of a team: powers of two.
__device__ inline unsigned lanes_for(unsigned blocks) { return blocks < warp_size ? blocks : warp_size; }

// Extends `scanned` from the block to the team: prepends the transforms of the blocks before this one, and composes
// those of all blocks, in the first warp. Waits for the other blocks of the team.
template <class Model>
__device__ inline Scanned<Model> scan_team(TeamTile<Model>& tile, TeamMessages<Model> const& messages, unsigned blocks,
                                           unsigned block, Scanned<Model> const& scanned) {
    using OfTransform = typename TeamMessages<Model>::OfTransform;
    using Transform = typename Model::Transform;
    if (thread_rank() == 0)
        OfTransform::send(messages.transform_of(block), messages.launch, scanned.all);
    if (warp_id() == 0) {
        unsigned const lane = lane_id();
        unsigned const width = lanes_for(blocks);
        Transform all_before = Model::identity();
        Transform all = Model::identity();
        for (unsigned first = 0; first < blocks; first += width) {
            Transform const one = OfTransform::receive(messages.transform_of(first + lane % width), messages.launch);
            Scanned<Model> const some = scan_lanes<Model>(one, width);
            if (first + lane == block)
                all_before = Model::compose(all, some.before);
            all = Model::compose(all, some.all);
        }
        if (lane == block % width)
            tile.team[0] = all_before;
        if (lane == 0)
            tile.team[1] = all;
    }
    __syncthreads();
    Transform const before = tile.team[0];
    Transform const all = tile.team[1];
    return {Model::compose(before, scanned.before), all};
}

// Adds the sums of the team's blocks in the first warp of its first block. Returns true there; `sums` of the first
// thread, which holds the block's, then holds the team's.
template <class Model>
__device__ inline bool add_waiting_team(TeamMessages<Model> const& messages, unsigned blocks, unsigned block,
                                        typename Model::Sums& sums) {
    using OfSums = typename TeamMessages<Model>::OfSums;
    if (block != 0) {
        if (thread_rank() == 0)
            OfSums::send(messages.sums_of(block), messages.launch, sums);
        return false;
    }
    if (warp_id() != 0)
        return false;
    if (lane_id() != 0)
        sums = {};
    for (unsigned other = lane_id() == 0 ? warp_size : lane_id(); other < blocks; other += warp_size)
        sums = Model::add(sums, OfSums::receive(messages.sums_of(other), messages.launch));
    sums = add_lanes<Model>(sums, lanes_for(blocks));
    return true;
}

// Adds the sums of the team's blocks in the last block to arrive. Returns true in that block; `sums` of its first
// thread then holds the result. No block waits.
template <class Model>
__device__ inline bool add_team(TeamTile<Model>& tile, TeamMemory const& memory, unsigned long long team,
                                unsigned blocks, unsigned block, typename Model::Sums& sums) {
    auto* const block_sums = static_cast<typename Model::Sums*>(memory.sums) + team * blocks;
    if (thread_rank() == 0) {
        block_sums[block] = sums;
        unsigned long long const ticket = add_release_acquire(memory.finished + team, 1ull);
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
    bool const in_blocks = team.blocks > 1;
    // Loaded first, so that it arrives while the stream is computed.
    unsigned const launch = Model::has_past && in_blocks ? memory.launches[number] + 1 : 0;
    Replication const replication = replication_of(p, index);
    Share<Model, Engine> share = share_of<Model, Engine, true>(p, team, replication, block, thread_rank());
    auto* const table = table_for<Model>(filled<Model>(&tile.table, p, team.run), p, replication.point);
    Scanned<Model> scanned = {Model::identity(), Model::identity()};
    typename Model::State state = share.start;
    typename Model::Sums sums = {};
    if constexpr (Model::has_past) {
        TeamMessages<Model> const messages = {memory.messages + index * team.blocks * TeamMessages<Model>::words,
                                              launch};
        typename Model::template Kept<Engine> kept(share.stream);
        scanned = scan_block<Model>(tile, Model::piece(replication.point, share.items, kept));
        if (in_blocks)
            scanned = scan_team<Model>(tile, messages, team.blocks, block, scanned);
        state = Model::apply(share.start, scanned.before);
        Model::finish(table, replication.point, state, sums, share.items, kept);
        sums = add_block<Model>(tile, sums);
        if (in_blocks) {
            if (thread_rank() == 0)
                memory.launches[number] = launch;
            if (!add_waiting_team<Model>(messages, team.blocks, block, sums))
                return;
        }
    } else {
        Model::run_together(table, replication.point, share.stream, state, sums, share.items);
        sums = add_block<Model>(tile, sums);
        if (in_blocks && !add_team<Model>(tile, memory, index, team.blocks, block, sums))
            return;
    }
    if (thread_rank() == 0) {
        Model::write(replication.point, Model::apply(share.start, scanned.all), sums,
                     results + index * Model::words_per_result);
    }
}

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
