#pragma once
// Cooperative replication: a team of lanes runs one replication, and gives the numbers of the sequential one. Items are
// cut into equal runs, a run a lane; a lane jumps to its run's place in the one stream (taus88 is linear), says what
// its run does to any state (piece), learns the state it enters with by a scan over the team, and then runs its items.
//
// What diverges: hardly anything, lanes do the same work. Words: each twice, where an item depends on those before it.
// Jumps: 31 + 29 + 28 steps a lane. Bytes: the jumps' table, 12 a lane of a team, read by every team.

#include "common/replications/parameters.hpp"
#include "harness/simt/warp.hpp"

namespace lockstep::replications {

// How a job's replications are cut. Leaps lie in device memory, made by the host.
template <class JumpAhead>
struct TeamParameters {
    unsigned lanes = 32;                   // of a team within one block; a power of two
    unsigned blocks = 1;                   // of a team
    unsigned run = 0;                      // items a lane
    JumpAhead const* within = nullptr;     // `lanes` jumps: to the lane's run, from the block's first
    JumpAhead const* of_blocks = nullptr;  // `blocks` jumps: to the block's first run
};

}  // namespace lockstep::replications

namespace lockstep::replications::LOCKSTEP_MACHINE {

// A lane's share: its stream at the right place, the state that the replication begins with, and how many items.
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
        stream.discard(team.of_blocks[block]);
    stream.discard(team.within[lane]);
    unsigned long long const first = (static_cast<unsigned long long>(block) * team.lanes + lane) * team.run;
    unsigned const items = replication.point.items;
    unsigned const left = first < items ? items - static_cast<unsigned>(first) : 0;
    return {stream, start, left < team.run ? left : team.run};
}

// Applies a shuffle to each word of a piece or of sums, as the functions of harness/simt/warp.hpp require.
template <class Model>
struct Exchange {
    template <class T, class Shuffle>
    __device__ T operator()(T const& value, Shuffle const& shuffle) const {
        return Model::exchange(value, shuffle);
    }
};

// The piece before this lane's, and that of the whole `width` lanes (a power of two, up to a warp). Every lane of the
// warp calls.
template <class Model>
using Scanned = simt::LOCKSTEP_MACHINE::Scanned<typename Model::Transform>;

template <class Model>
__device__ inline Scanned<Model> scan_lanes(typename Model::Transform const& piece, unsigned width) {
    return exclusive_scan(piece, width, Model::identity(), Exchange<Model>(),
                          [](auto const& earlier, auto const& later) { return Model::compose(earlier, later); });
}

// The sum over `width` lanes, in each of them.
template <class Model>
__device__ inline typename Model::Sums add_lanes(typename Model::Sums sums, unsigned width) {
    return team_reduce(sums, width, Exchange<Model>(),
                       [](auto const& one, auto const& other) { return Model::add(one, other); });
}

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
