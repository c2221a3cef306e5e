#pragma once
// Drawing a set by its number, with the tables of reference_cpu/random_grids/unrank_tables.hpp: no loop over bits or
// halvings, so next to nothing diverges. A `View` hands out the tables: entry(i), guide(i), mask(i), and for the split
// of 64 sites high(i), low(i), split_guide(i).

#include "harness/simt/kernel.hpp"
#include "reference_cpu/random_grids/unrank_tables.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

template <class Engine>
__host__ __device__ constexpr unsigned bits_of_words() {
    unsigned bits = 0;
    for (unsigned long long all = Engine::max(); all != 0; all >>= 1)
        ++bits;
    return bits;
}

// A uniform number below the row's sets, and the word that it came from.
struct Rank {
    unsigned number;
    unsigned word;
};

// As random::bounded, with the remainder from the table.
template <class Engine>
__device__ inline Rank draw_rank(Engine& engine, UnrankRow const& row) {
    constexpr unsigned mask = Engine::max();
    unsigned word = engine();
    unsigned long long product = static_cast<unsigned long long>(word) * row.sets;
    while ((static_cast<unsigned>(product) & mask) < row.rejected) {
        word = engine();
        product = static_cast<unsigned long long>(word) * row.sets;
    }
    return {static_cast<unsigned>(product >> bits_of_words<Engine>()), word};
}

// The set of that number; `first` is the row's first entry and `guess` what its guide says of the word.
template <unsigned half, class View>
__device__ inline unsigned unrank(View& view, unsigned first, unsigned guess, unsigned number) {
    unsigned at = first + guess;
    UnrankEntry entry = view.entry(at);
    unsigned above = number - entry.before;
    while (static_cast<int>(above) <= 0) {
        entry = view.entry(--at);
        above = number - entry.before;
    }
    unsigned const quotient = __umulhi(above, entry.magic) >> (entry.divisor >> 16);
    unsigned const rest = above - quotient * (entry.divisor & 0xFFFFu);  // one more than the remainder
    unsigned const low = view.mask((entry.masks & 0xFFFFu) + quotient);
    unsigned const high = view.mask((entry.masks >> 16) + rest - 1);
    return low | high << half;
}

// How many sites the low part gets: a uniform number of two words against the row's thresholds. The second word is
// drawn only where the first one does not decide, about once in 10^8 sets.
template <class View, class Engine>
__device__ inline unsigned draw_split(View& view, Engine& engine, SplitRow const& row, unsigned first,
                                      unsigned first_guide, unsigned cell_bits) {
    for (;;) {
        unsigned const word = engine();
        unsigned second = 0;
        bool drawn = false;
        unsigned at = view.split_guide(first_guide + (word >> (bits_of_words<Engine>() - cell_bits)));
        for (;;) {
            unsigned const high = view.high(first + at);
            if (word > high)
                break;
            if (word == high) {
                if (!drawn)
                    second = engine();
                drawn = true;
                if (second >= view.low(first + at))
                    break;
            }
            --at;
        }
        if (at != row.counts)
            return row.first + at;
    }
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
