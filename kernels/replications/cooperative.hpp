#pragma once
// Cooperative replication: a team of lanes runs one replication and computes the same numbers as a sequential run. The
// items are split into equal runs, one per lane. A lane jumps to the start of its run in the one stream (taus88 is
// linear), computes how its run transforms any state (a Transform), obtains the state at its start by a scan over the
// team, and then completes its run. What a model keeps between the two (Kept) saves it most of a second pass.
//
// Divergence: hardly any, since all lanes do the same work. Words: each is drawn once, and again where the model's
// finish() has to. Jumps: sums of 31 + 29 + 28 words per lane, or of 7 + 6 + 6 if the warp shares a replication. Bytes:
// the table of jumps, 12 per lane of a team, read by every team.
//
// A model has, beside what parameters.hpp runs:
//   Kept<Engine>(stream)                                what a run keeps, if items depend on those before them
//   piece(point, items, kept)                           the Transform of that run
//   finish(table, point, state, sums, items, kept)      the sums of that run, which begins in `state`
//   run_together(table, point, stream, state, sums, items)  a run of a lane alone
//   fill(table, point, thread, threads)                 a table in shared memory, if items_for_table is not 0

#include "common/replications/parameters.hpp"
#include "harness/simt/warp.hpp"

namespace lockstep::replications {

// How a job's replications are split. The host computes the jumps and stores them in device memory.
template <class JumpAhead>
struct TeamParameters {
    unsigned lanes = 32;  // per team and block; a power of two
    unsigned blocks = 1;  // per team
    unsigned run = 0;     // items per lane
    // A lane's jump to its run. Either one jump per lane of the team, or one per lane of a block, from the block's
    // first run, and one per block of the team.
    JumpAhead const* lane_jumps = nullptr;
    JumpAhead const* block_jumps = nullptr;  // null: none
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

// Jumps in every lane of a warp. `together`: all lanes are in one state.
template <class Engine>
__device__ inline void discard(Engine& stream, typename Engine::JumpAhead const& jump, bool together) {
    auto const shuffle = [](unsigned value, unsigned lane) {
        return __shfl_sync(full_warp, value, static_cast<int>(lane));
    };
    if constexpr (requires { stream.discard_together(jump, 0u, shuffle); }) {
        if (together)
            stream.discard_together(jump, lane_id(), shuffle);
        else
            stream.discard(jump);
    } else {
        stream.discard(jump);
    }
}

// `of_blocks`: a team is one block or several. Otherwise it fits a warp, and `block` is 0.
template <class Model, class Engine, bool of_blocks>
__device__ inline Share<Model, Engine> share_of(JobParameters const& p,
                                                TeamParameters<typename Engine::JumpAhead> const& team,
                                                Replication const& replication, unsigned block, unsigned lane) {
    unsigned long long const rank = static_cast<unsigned long long>(block) * team.lanes + lane;
    // Loaded first, so that it arrives while the stream is computed.
    bool const two_jumps = of_blocks && team.block_jumps != nullptr;
    typename Engine::JumpAhead const jump = team.lane_jumps[two_jumps ? lane : rank];
    Engine stream = stream_of<Engine>(p, replication);
    Engine at_start = stream;
    typename Model::State const start = Model::begin(replication.point, at_start);
    if (team.lanes == 1) {
        stream = at_start;  // a lane alone needs no jump over the words before its first item
    } else {
        if (two_jumps)
            discard(stream, team.block_jumps[block], true);
        discard(stream, jump, of_blocks || team.lanes == warp_size);
    }
    unsigned long long const first = rank * team.run;
    unsigned const items = replication.point.items;
    unsigned const left = first < items ? items - static_cast<unsigned>(first) : 0;
    return {stream, start, left < team.run ? left : team.run};
}

// Fills the model's table in shared memory, for runs that are long enough, and waits for the block. Returns null if
// there is none. All threads of the block must call it.
template <class Model>
__device__ inline typename Model::Table* filled(typename Model::Table* table, JobParameters const& p, unsigned run) {
    if constexpr (Model::items_for_table != 0) {
        if (run >= Model::items_for_table && p.size > 0) {
            bool const exists = Model::fill(*table, p.points[0], thread_rank(), threads_in_block());
            __syncthreads();
            return exists ? table : nullptr;
        }
    }
    return nullptr;
}

// The table for this point: it is that of the job's first point.
template <class Model>
__device__ inline typename Model::Table* table_for(typename Model::Table* table, JobParameters const& p,
                                                   Point const& point) {
    bool const fits = point.chunk_width == p.points[0].chunk_width && point.chunk_height == p.points[0].chunk_height;
    return fits ? table : nullptr;
}

// Applies a shuffle to each word of a transform or of sums, as the functions of harness/simt/warp.hpp require.
template <class Model>
struct Exchange {
    template <class T, class Shuffle>
    __device__ T operator()(T const& value, Shuffle const& shuffle) const {
        return Model::exchange(value, shuffle);
    }
};

// Returns the composition of the transforms before this lane's, and of the transforms of all `width` lanes (a power of
// two, at most 32). All lanes of the warp must call it.
template <class Model>
using Scanned = simt::LOCKSTEP_MACHINE::Scanned<typename Model::Transform>;

template <class Model>
__device__ inline Scanned<Model> scan_lanes(typename Model::Transform const& transform, unsigned width) {
    return exclusive_scan(transform, width, Model::identity(), Exchange<Model>(),
                          [](auto const& earlier, auto const& later) { return Model::compose(earlier, later); });
}

// Returns the sum over `width` lanes to each of them.
template <class Model>
__device__ inline typename Model::Sums add_lanes(typename Model::Sums sums, unsigned width) {
    return team_reduce(sums, width, Exchange<Model>(),
                       [](auto const& one, auto const& other) { return Model::add(one, other); });
}

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
