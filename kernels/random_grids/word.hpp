#pragma once
// Single-word sets, one thread per stream (slide "CPU/CUDA implementation"): the kernel around halve_word, for 32- and
// 64-bit words.
//
// What diverges: the loop; a warp takes as many steps as its slowest lane, about twice the mean. The `if` becomes
// selects. Operations per set: 4.9 steps (k = 16 of 32), for which a warp executes 10.3, x (word, and, popc, compare,
// four selects). Bytes: 4 or 8 per set if stored, 4 per stream if folded. Preconditions: one row of at most 32 sites,
// or of 33 to 64.

#include "common/random_grids/parameters.hpp"
#include "kernels/random_grids/halve_word.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

// Threads per block; the slides do not give the number. Large blocks keep a multiprocessor's warps closer together, so
// an H200 draws more sets per second with 1024 threads than with 256.
inline constexpr unsigned word_block = 1024;

template <bool stored>
__device__ inline void put_word(Sink<stored>& sink, unsigned word) {
    sink.put(word);
}

template <bool stored>
__device__ inline void put_word(Sink<stored>& sink, unsigned long long word) {
    sink.put(static_cast<unsigned>(word & 0xFFFFFFFFu));
    sink.put(static_cast<unsigned>(word >> 32));
}

// All sets of one stream.
template <class Word, class Engine, bool stored>
__device__ inline void word_stream(GridParameters const& p, unsigned long long stream, unsigned* results) {
    unsigned long long const unit = p.first_unit + stream;
    Engine engine = Engine::stream(p.seed, unit, 0);
    Occupied const occupied_sites(p, unit);
    Sink<stored> sink = threadwise_sink<stored>(results, stream, words_of_stream(p, stored));
    Word const all_sites = static_cast<Word>(~Word{0}) >> (8 * sizeof(Word) - p.width);

    if (p.mixed == 0 && p.planes == 1) {
        // The slides' case, without the two tests and the inner loop that the general case needs for each set.
        unsigned const occupied = p.occupied[0];
        for (unsigned board = 0; board < p.length; ++board)
            put_word(sink, halve_word(engine, all_sites, occupied));
    } else {
        for (unsigned board = 0; board < p.length; ++board) {
            Word set = all_sites;
            for (unsigned plane = 0; plane < p.planes; ++plane) {
                set = halve_word(engine, set, occupied_sites(p, board, plane));
                put_word(sink, set);
            }
        }
    }
    sink.finish();
}

template <class Word, class Engine, bool stored>
__global__ void __launch_bounds__(word_block)
    word_sets(__grid_constant__ GridParameters const p, unsigned* const results) {
    unsigned long long const stream = global_thread();
    if (stream < p.streams)
        word_stream<Word, Engine, stored>(p, stream, results);
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
