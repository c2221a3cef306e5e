#pragma once
// Rows of a set whose sites are packed in words without padding: site s is bit s % 32 of word s / 32. Everything but
// the sites is the same in all lanes, so nothing diverges. Operations: three per word of a row of a known width, else
// about ten per word of a row and of the set.
//
// `Build` says how many words a set has at most (`words`), how many all boards of the kernel fill (`full_words`), and
// the width of their rows if it is known (`width`). word(i) returns word i of the set, whose bits past the last site
// carry no meaning. put(word) takes the rows' words in order.

#include "common/random_grids/parameters.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

// Rows of a known width: every shift and mask is a constant, and all words of the set are loaded at once.
template <class Build, class Word, class Put>
__device__ inline void put_fixed_rows(GridParameters const& p, Word const& word, Put const& put) {
    constexpr unsigned width = Build::width;
    constexpr unsigned sure_rows = Build::full_words * 32 / width;  // of every board
    unsigned words[Build::words + 1];
#pragma unroll
    for (unsigned i = 0; i < Build::words; ++i)
        words[i] = word(i);
    words[Build::words] = 0;
#pragma unroll
    for (unsigned row = 0; row < Build::words * 32 / width; ++row) {
        if (row + 1 > sure_rows && row >= p.height)
            return;
#pragma unroll
        for (unsigned column = 0; column < width; column += 32) {
            unsigned const at = row * width + column;
            unsigned const sites = width - column < 32 ? width - column : 32;
            put(__funnelshift_r(words[at / 32], words[at / 32 + 1], at % 32) & 0xFFFFFFFFu >> (32 - sites));
        }
    }
}

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

// Rows of 33 to 64 sites, each from its own address, so that no row waits for the one before.
template <class Word, class Put>
__device__ inline void put_double_rows(GridParameters const& p, Word const& word, Put const& put) {
    unsigned const last = (p.width * p.height - 1) / 32;  // no site past the last word is used
    unsigned at = 0;
#pragma unroll 4
    for (unsigned row = 0; row < p.height; ++row) {
        unsigned const first = at / 32;
        unsigned const low = word(first);
        unsigned const middle = word(first < last ? first + 1 : last);
        unsigned const high = word(first + 1 < last ? first + 2 : last);
        put(__funnelshift_r(low, middle, at));
        put(__funnelshift_r(middle, high, at) & p.last_mask);
        at += p.width;
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
