#pragma once
// Halving loop on one word (slide "CPU/CUDA implementation"), for words of 8, 32 and 64 bits: a random subset of
// exactly `occupied` of the candidates. What diverges: the number of steps, about log2 of the number of candidates; a
// warp takes the maximum over its lanes.

#include "harness/simt/kernel.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

__device__ inline unsigned population(unsigned word) { return static_cast<unsigned>(__popc(word)); }
__device__ inline unsigned population(unsigned long long word) { return static_cast<unsigned>(__popcll(word)); }
__device__ inline unsigned population(unsigned char word) { return static_cast<unsigned>(__popc(word)); }

// Returns a random word of this width. 64 bits take two draws, the low half first, in the order in which a row's words
// are stored.
template <class Word, class Engine>
__device__ inline Word random_word(Engine& engine) {
    if constexpr (sizeof(Word) == 8) {
        Word const low = engine();
        Word const high = engine();
        return high << 32 | low;
    } else {
        return static_cast<Word>(engine());
    }
}

template <class Word, class Engine>
__device__ inline Word halve_word(Engine& engine, Word candidates, unsigned occupied) {
    Word subset = 0;
    unsigned included = 0;
    while (included != occupied) {
        Word const selected = static_cast<Word>(random_word<Word>(engine) & candidates);
        unsigned const count = population(selected);
        if (included + count <= occupied) {
            subset = static_cast<Word>(subset | selected);
            included += count;
            candidates = static_cast<Word>(candidates & ~selected);
        } else {
            candidates = selected;
        }
    }
    return subset;
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
