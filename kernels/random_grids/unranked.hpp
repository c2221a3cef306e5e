#pragma once
// Sets of up to 64 sites drawn by number, a thread a stream, tables in shared memory: one block of 1024 threads a
// multiprocessor.
//
// What limits: instructions, with shared memory close behind. Shared memory serves 32 different words at once only from
// 32 different banks; random ones take 3.5 turns. So only the masks are looked up at random, two a word of the set, and
// where k is mixed a set's count in its words; the alias tables that split a word have a copy for each lane, and one
// turn, and the 17 populations of a part lie in different banks, two turns for their 8 bytes. Turns: 13 a set of 32
// bits, 26 of 64. Instructions: 57 and 113 where all fields decide, with 1.5 and 3.5 random words. What diverges:
// fields that do not decide (1 in 4096) and numbers that might be rejected (1 in 700). Bytes: 4 or 8 a set where
// stored; 205 KB of tables a block, from the L2.

#include "kernels/random_grids/parameters.hpp"
#include "kernels/random_grids/unrank.hpp"

namespace lockstep::random_grids {

// An alias table in device memory.
struct SplitSource {
    unsigned const* entries = nullptr;
    unsigned const* tails = nullptr;
};

struct UnrankParameters {
    GridParameters grid;
    unsigned short const* masks = nullptr;
    PartSets const* parts = nullptr;  // 17 for each of four parts
    SplitSource low;                  // of the first word into its parts
    SplitSource high;                 // of the second one
    SplitSource pair;                 // into words
    unsigned high_sites = 0;          // in the second word
};

inline constexpr unsigned unrank_threads = 1024;
inline constexpr unsigned populations = 17;  // of a part
inline constexpr unsigned word_rows = 33;    // of a split table, at most
inline constexpr unsigned pair_rows = 65;

}  // namespace lockstep::random_grids

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

template <class T, unsigned n>
using UnrankArray = simt::LOCKSTEP_MACHINE::SharedArray<T, n>;

struct UnrankTile {
    static constexpr unsigned word_entries = word_rows << word_column_bits;
    UnrankArray<unsigned, word_entries * 32> low;  // entry e for lane l is number 32 e + l
    UnrankArray<unsigned, word_entries> high;      // unless it is as the low one
    UnrankArray<unsigned, (pair_rows << pair_column_bits)> pair;
    UnrankArray<PartSets, 4 * populations> parts;
    UnrankArray<unsigned short, 65536> masks;
};

template <class Array, class T>
__device__ inline void copy_table(Array& to, T const* from, unsigned count, unsigned copies = 1) {
#pragma unroll 4
    for (unsigned i = threadIdx.x; i < count * copies; i += blockDim.x)
        to[i] = from[i / copies];
}

__device__ inline void copy_tables(UnrankTile& tile, UnrankParameters const& p) {
    unsigned const low_sites = p.grid.width < 32 ? p.grid.width : 32;
    copy_table(tile.masks, p.masks, 65536);
    copy_table(tile.parts, p.parts, 4 * populations);
    copy_table(tile.low, p.low.entries, (low_sites + 1) << word_column_bits, 32);
    if (p.high_sites != 0) {
        copy_table(tile.high, p.high.entries, (p.high_sites + 1) << word_column_bits);
        copy_table(tile.pair, p.pair.entries, (p.grid.width + 1) << pair_column_bits);
    }
}

template <class Array, unsigned columns>
struct SplitView {
    static constexpr unsigned column_bits = columns;
    static constexpr unsigned tail_words = split_tail_words;
    Array& entries;
    unsigned const* tails;
    unsigned copies;  // of an entry
    unsigned copy;    // this lane's

    __device__ unsigned entry(unsigned column) { return entries[column * copies + copy]; }
    __device__ unsigned tail(unsigned column, unsigned i) { return tails[column * 2 * tail_words + i]; }
};

using LowView = SplitView<UnrankArray<unsigned, UnrankTile::word_entries * 32>, word_column_bits>;
using HighView = SplitView<UnrankArray<unsigned, UnrankTile::word_entries>, word_column_bits>;
using PairView = SplitView<UnrankArray<unsigned, (pair_rows << pair_column_bits)>, pair_column_bits>;

// Draws groups of eight parts: four sets of a word or two of two.
// `alike`: the second word is cut as the first one. `mixed`: k may differ from set to set.
template <class Engine, bool mixed, unsigned words, bool alike>
class UnrankDrawer {
public:
    static constexpr unsigned at_once = 4 / words;

    __device__ UnrankDrawer(UnrankTile& tile, UnrankParameters const& p, unsigned long long unit)
        : tile_(tile),
          p_(p),
          engine_(Engine::stream(p.grid.seed, unit, 0)),
          base_(mixed ? mixed_base(p.grid.seed, unit) : 0),
          lane_(threadIdx.x % 32) {}

    // The sets number `first` to `first` + at_once - 1 of the stream. Where they are not `all`, those from `end` on
    // have no sites.
    template <bool all>
    __device__ void draw(unsigned first, unsigned end, unsigned (&sets)[4]) {
        unsigned occupied[at_once];
#pragma unroll
        for (unsigned i = 0; i < at_once; ++i) {
            occupied[i] =
                mixed && p_.grid.mixed != 0 ? mixed_occupied(base_, first + i, p_.grid.width) : p_.grid.occupied[0];
            if (!all && first + i >= end)
                occupied[i] = 0;
        }
        // Nearly always all fields decide; where one does not, once more with care.
        Engine const before = engine_;
        PartSets parts[2][4];
        if (count<true>(occupied, parts)) {
            engine_ = before;
            count<false>(occupied, parts);
        }
        unsigned masks[2][4];
#pragma unroll
        for (unsigned i = 0; i < 2; ++i)
            draw_digits<16>(engine_, parts[i], masks[i]);
#pragma unroll
        for (unsigned i = 0; i < 4; ++i) {
            unsigned const low = static_cast<unsigned short>(tile_.masks[masks[i / 2][i % 2 * 2]]);
            unsigned const high = static_cast<unsigned short>(tile_.masks[masks[i / 2][i % 2 * 2 + 1]]);
            sets[i] = high * 65536u + low;
        }
    }

private:
    // The masks that each part may have. Says whether a field did not decide, which `quick` leaves open.
    template <bool quick>
    __device__ bool count(unsigned const (&occupied)[at_once], PartSets (&parts)[2][4]) {
        HalfWords<Engine> halves(engine_);
        bool undecided = false;
        auto const split = [&](auto& view, unsigned k) {
            unsigned const field = halves.next();
            if constexpr (quick)
                return split_by_field<HalfWords<Engine>::bits>(view, k, field, undecided);
            else
                return draw_split(view, engine_, k, field);
        };
        LowView low{tile_.low, p_.low.tails, 32, lane_};
#pragma unroll
        for (unsigned i = 0; i < at_once; ++i) {
            if constexpr (words == 1) {
                put_parts(split(low, occupied[i]), occupied[i], parts[i / 2] + i % 2 * 2, 0);
            } else {
                PairView pair{tile_.pair, p_.pair.tails, 1, 0};
                unsigned const in_low = split(pair, occupied[i]);
                put_parts(split(low, in_low), in_low, parts[i], 0);
                unsigned const in_high = occupied[i] - in_low;
                if constexpr (alike) {
                    put_parts(split(low, in_high), in_high, parts[i] + 2, 2);
                } else {
                    HighView high{tile_.high, p_.high.tails, 1, 0};
                    put_parts(split(high, in_high), in_high, parts[i] + 2, 2);
                }
            }
        }
        return undecided;
    }

    __device__ void put_parts(unsigned in_low, unsigned occupied, PartSets* parts, unsigned first) {
        parts[0] = tile_.parts[first * populations + in_low];
        parts[1] = tile_.parts[(first + 1) * populations + occupied - in_low];
    }

    UnrankTile& tile_;
    UnrankParameters const& p_;
    Engine engine_;
    unsigned base_;
    unsigned lane_;
};

template <class Engine, bool stored, bool mixed, unsigned words, bool alike>
__global__ void __launch_bounds__(unrank_threads)
    unranked_words(__grid_constant__ UnrankParameters const parameters, unsigned* const results) {
    GridParameters const& p = parameters.grid;
    auto& tile = simt::LOCKSTEP_MACHINE::shared_memory<UnrankTile>();
    copy_tables(tile, parameters);
    __syncthreads();
    unsigned long long const stream = global_thread();
    if (stream >= p.streams)
        return;
    Sink<stored> sink = threadwise_sink<stored>(results, stream, words_of_stream(p, stored));
    UnrankDrawer<Engine, mixed, words, alike> drawer(tile, parameters, p.first_unit + stream);
    constexpr unsigned at_once = decltype(drawer)::at_once;
    unsigned sets[4];
    unsigned board = 0;
    for (; board + at_once <= p.length; board += at_once) {
        drawer.template draw<true>(board, p.length, sets);
#pragma unroll
        for (unsigned i = 0; i < 4; ++i)
            sink.put(sets[i]);
    }
    if (board < p.length) {
        drawer.template draw<false>(board, p.length, sets);
#pragma unroll
        for (unsigned i = 0; i < 4; ++i) {
            if (board + i / words < p.length)
                sink.put(sets[i]);
        }
    }
    sink.finish();
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
