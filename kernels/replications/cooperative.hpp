#pragma once
// Cooperative replication: a team of lanes runs one replication and computes the same numbers as a sequential run. The
// items are split into equal runs, one per lane. A lane jumps to the start of its run in the one stream (taus88 is
// linear), computes how its run transforms any state (a Transform), obtains the state at its start by a scan over the
// team, and then runs its items.
//
// Divergence: hardly any, since all lanes do the same work. Words: each is drawn twice if an item depends on those
// before it. Jumps: 31 + 29 + 28 steps per lane. Bytes: the table of jumps, 12 per lane of a team, read by every team.

#include "common/replications/parameters.hpp"

namespace lockstep::replications {

// How a job's replications are split. The host computes the jumps and stores them in device memory.
template <class JumpAhead>
struct TeamParameters {
    unsigned lanes = 32;                     // per team and block; a power of two
    unsigned blocks = 1;                     // per team
    unsigned run = 0;                        // items per lane
    JumpAhead const* lane_jumps = nullptr;   // `lanes` jumps: to the lane's run, from the block's first
    JumpAhead const* block_jumps = nullptr;  // `blocks` jumps: to the block's first run
};

}  // namespace lockstep::replications

namespace lockstep::replications::LOCKSTEP_MACHINE {

// A lane's share: its stream at the start of its run, the initial state of the replication, and its number of items.
template <class Model, class Engine>
struct Share {
    Engine stream;
    typename Model::State start;
    unsigned items;
};

template <class Model, class Engine>
__device__ inline Share<Model, Engine> share_of(JobParameters const& p,
                                                TeamParameters<typename Engine::JumpAhead> const& team,
                                                Replication const& replication, unsigned block, unsigned lane) {
    Engine stream = stream_of<Engine>(p, replication);
    Engine at_start = stream;
    typename Model::State const start = Model::begin(replication.point, at_start);
    if (team.blocks > 1)
        stream.discard(team.block_jumps[block]);
    stream.discard(team.lane_jumps[lane]);
    unsigned long long const first = (static_cast<unsigned long long>(block) * team.lanes + lane) * team.run;
    unsigned const items = replication.point.items;
    unsigned const left = first < items ? items - static_cast<unsigned>(first) : 0;
    return {stream, start, left < team.run ? left : team.run};
}

// The piece before this lane's, and that of the whole `width` lanes (a power of two, up to a warp). Every lane of the
// warp calls.
template <class Model>
struct Scanned {
    typename Model::Transform before;
    typename Model::Transform all;
};

template <class Model>
__device__ inline Scanned<Model> scan_lanes(typename Model::Transform piece, unsigned width) {
    constexpr unsigned everyone = simt::LOCKSTEP_MACHINE::full_warp;
    unsigned const lane = simt::LOCKSTEP_MACHINE::lane_id();
    unsigned const rank = lane % width;
    for (unsigned distance = 1; distance < width; distance *= 2) {
        typename Model::Transform const lower =
            Model::exchange(piece, [&](auto value) { return __shfl_up_sync(everyone, value, distance); });
        if (rank >= distance)
            piece = Model::compose(lower, piece);
    }
    typename Model::Transform const before =
        Model::exchange(piece, [&](auto value) { return __shfl_up_sync(everyone, value, 1); });
    typename Model::Transform const all = Model::exchange(
        piece, [&](auto value) { return __shfl_sync(everyone, value, static_cast<int>(lane - rank + width - 1)); });
    return {rank == 0 ? Model::identity() : before, all};
}

// The sum over `width` lanes, in each of them.
template <class Model>
__device__ inline typename Model::Sums add_lanes(typename Model::Sums sums, unsigned width) {
    for (unsigned distance = width / 2; distance > 0; distance /= 2) {
        sums =
            Model::add(sums, Model::exchange(sums, [&](auto value) {
                           return __shfl_xor_sync(simt::LOCKSTEP_MACHINE::full_warp, value, static_cast<int>(distance));
                       }));
    }
    return sums;
}

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
