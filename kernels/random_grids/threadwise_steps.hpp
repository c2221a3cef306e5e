#pragma once
// Threadwise (slides "Threadwise implementation guidelines" and "Threadwise CUDA code"): one thread per stream. An
// array of rows replaces the single word of `word`, and the count is summed over the rows.
//
// What diverges: the loop, as for a single word; a warp takes 1.56 times the mean number of steps for 1024 sites.
// Operations per 32x32 board: 9.8 steps x 32 words x (word, and, popc, add, two bit operations). Bytes: 4 per word if
// stored, 4 per stream if folded.
//
// The variants differ in storage: registers (size known at compile time), local memory (size known at run time) or
// shared memory.

#include "common/random_grids/parameters.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

// Draws all boards of one stream with `sets`, which holds three arrays: subset, candidates, selected. `sets` provides:
//   among_board()          candidates become all sites of the board, the subset becomes empty
//   among_subset()         candidates become the subset, the subset becomes empty
//   select(engine)         selected becomes a random subset of the candidates; returns its size
//   include()              moves the selected sites from the candidates to the subset
//   exclude()              candidates become the selected sites
//   put(sink)              puts the subset's words into the sink
template <class Engine, bool stored, class Sets>
__device__ inline void threadwise_stream(GridParameters const& p, unsigned long long stream, unsigned* results,
                                         Sets& sets) {
    unsigned long long const unit = p.first_unit + stream;
    Engine engine = Engine::stream(p.seed, unit, 0);
    Occupied const occupied_sites(p, unit);
    Sink<stored> sink = threadwise_sink<stored>(results, stream, words_of_stream(p, stored));

    for (unsigned board = 0; board < p.length; ++board) {
        for (unsigned plane = 0; plane < p.planes; ++plane) {
            unsigned const occupied = occupied_sites(p, board, plane);
            if (plane == 0)
                sets.among_board();
            else
                sets.among_subset();
            unsigned included = 0;
            while (included != occupied) {
                unsigned const count = sets.select(engine);
                if (included + count <= occupied) {
                    sets.include();
                    included += count;
                } else {
                    sets.exclude();
                }
            }
            sets.put(sink);
        }
    }
    sink.finish();
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
