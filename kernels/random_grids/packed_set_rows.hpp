#pragma once
// Rows of a set whose sites are packed in words without padding: site s is bit s % 32 of word s / 32. Everything but
// the sites is the same in all lanes, so nothing diverges. Operations: ten per word of a row and ten per word of the
// set.
//
// `Build` says how many words a set has at most (`words`) and how many all boards of the kernel fill (`full_words`).
// word(i) returns word i of the set, whose bits past the last site carry no meaning. put(word) takes the rows' words in
// order.

#include "common/random_grids/parameters.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

// Rows of up to 32 sites: word after word of the set, the rows that begin in it.
template <class Build, class Word, class Put>
__device__ inline void put_short_rows(GridParameters const& p, Word const& word, Put const& put) {
    unsigned const sites = p.width * p.height;
    unsigned low = word(0);
    unsigned at = 0;  // of the next row, from the first site of `low`
#pragma unroll
    for (unsigned i = 0; i < Build::words; ++i) {
        bool const full = i + 1 <= Build::full_words;
        if (!full && sites <= 32 * i)
            return;
        unsigned const high = i + 1 < Build::words ? word(i + 1) : 0;
        unsigned const end = full || sites >= 32 * i + 32 ? 32 : sites - 32 * i;
        for (; at < end; at += p.width)
            put(__funnelshift_r(low, high, at) & p.last_mask);
        at -= 32;
        low = high;
    }
}

// Longer rows: a window of two words moves over the set.
template <class Build, class Word, class Put>
__device__ inline void put_long_rows(GridParameters const& p, Word const& word, Put const& put) {
    unsigned low = word(0);
    unsigned high = word(1);
    unsigned next = 2;
    unsigned at = 0;
    unsigned const in_last = p.width - 32 * (p.words_per_row - 1);
    auto const advance = [&] {
        low = high;
        high = word(next);
        next = next + 1 < Build::words ? next + 1 : next;  // no site past the last word is used
    };
    for (unsigned row = 0; row < p.height; ++row) {
        for (unsigned column = 1; column < p.words_per_row; ++column) {
            put(__funnelshift_r(low, high, at));
            advance();
        }
        put(__funnelshift_r(low, high, at) & p.last_mask);
        at += in_last;
        if (at >= 32) {
            at -= 32;
            advance();
        }
    }
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
