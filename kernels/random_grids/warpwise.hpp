#pragma once
// Warpwise (slides "Warpwise implementation" and "Warpwise implementation, the code"): one warp per stream and one row
// per lane; each lane has its own engine. The count is summed over the warp, so all lanes make the same decision.
//
// What diverges: nothing. Steps: about log2 N, each with one random word and one warp sum per lane. Operations per
// 32x32 board: 9.8 steps x 32 lanes x (word, and, popc, sum, three bit operations). Bytes: 4 per row if stored, 128 per
// stream if folded. Preconditions: width and height at most 32; blocks consist of whole warps.

#include "common/random_grids/after.hpp"
#include "common/random_grids/parameters.hpp"
#include "kernels/random_grids/warp_sum.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

// Returns this lane's row of a random subset of exactly `occupied` of the warp's candidates.
template <class Sum, class Engine>
__device__ inline unsigned halve_row(Engine& engine, unsigned candidates, unsigned occupied) {
    unsigned subset = 0;
    unsigned included = 0;
    while (included != occupied) {
        unsigned const selected = engine() & candidates;
        unsigned const count = Sum::sum(static_cast<unsigned>(__popc(selected)));
        if (included + count <= occupied) {
            subset |= selected;
            included += count;
            candidates &= ~selected;
        } else {
            candidates = selected;
        }
    }
    return subset;
}

// The boards of this warp's stream. draw_row(engine, candidates, occupied) returns this lane's row of a set.
// `Work` is done on each set before it is put.
template <class Engine, bool stored, class Work, class DrawRow>
__device__ inline void warpwise_stream(GridParameters const& p, unsigned* const results, DrawRow&& draw_row) {
    unsigned long long const stream = global_thread() / warp_size;
    if (stream >= p.streams)
        return;
    unsigned const lane = threadIdx.x % warp_size;
    unsigned long long const unit = p.first_unit + stream;
    Engine engine = Engine::stream(p.seed, unit, lane);
    Occupied const occupied_sites(p, unit);
    unsigned const row_sites = lane < p.height ? p.last_mask : 0;
    Sink<stored> sink(stored ? results + stream * words_of_stream(p, true) + lane : results + stream * warp_size + lane,
                      p.height);

    bool const puts = !stored || lane < p.height;
    if (p.mixed == 0 && p.planes == 1) {
        // The slides' case, without the two tests and the inner loop that the general case needs for each board.
        unsigned const occupied = p.occupied[0];
        for (unsigned board = 0; board < p.length; ++board) {
            unsigned const subset = Work::in_warp(draw_row(engine, row_sites, occupied), row_sites);
            if (puts)
                sink.put(subset);
        }
    } else {
        for (unsigned board = 0; board < p.length; ++board) {
            unsigned subset = row_sites;
            for (unsigned plane = 0; plane < p.planes; ++plane) {
                subset = draw_row(engine, subset, occupied_sites(p, board, plane));
                unsigned const found = Work::in_warp(subset, row_sites);
                if (puts)
                    sink.put(found);
            }
        }
    }
    sink.finish();
}

template <class Engine, bool stored, class Sum, class Work = NoWork>
__global__ void __launch_bounds__(256) warpwise(__grid_constant__ GridParameters const p, unsigned* const results) {
    warpwise_stream<Engine, stored, Work>(p, results, [](Engine& engine, unsigned candidates, unsigned occupied) {
        return halve_row<Sum>(engine, candidates, occupied);
    });
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
