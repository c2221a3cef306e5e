#pragma once
// Threadwise (slides "Threadwise implementation guidelines" and "Threadwise CUDA code"): a thread a stream; where a
// word's set was one word, there is an array of rows, and the count is summed over them.
//
// What diverges: the loop, as for a single word: 1.56 times the mean for 1024 sites. Operations a 32x32 board: 9.8
// steps x 32 words x (word, and, popc, add, two bit operations). Bytes: 4 a word where stored, 4 a stream where folded.
//
// Storage is the variants' difference: registers (sizes known while compiling), local memory (sizes known at run time),
// shared memory.

#include "common/random_grids/parameters.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

// All boards of one stream with `sets`, which holds three arrays: subset, candidates, selected. `sets` gives
//   among_board()          candidates become all sites of the board, the subset becomes empty
//   among_subset()         candidates become the subset, which becomes empty
//   select(engine)         selected becomes random candidates; gives their number
//   include() exclude()    the selected ones join the subset and are no more candidates; or they are the candidates
//   put(sink)              hands on the subset's words
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
