#pragma once
// Sets of up to 64 sites drawn by number, a thread a stream, tables in shared memory: one block of 1024 threads a
// multiprocessor.
//
// What limits: look-ups. Shared memory serves 32 different words at once only from 32 different banks; random ones
// take 3.5 turns. A 32-bit set makes five (guide, entry of 16 bytes, two masks, and where k is mixed the row), 17 to 25
// turns, a 64-bit set about 50. Operations: about 45 and 120, with one random word and three. What diverges: the
// multiplication's rejection (2 words in 100 for 16 of 32) and the step back from the guide (1 in 60 lanes). Bytes: 4
// or 8 a set where stored; 154 or 205 KB of tables a block, from the L2.

#include "kernels/random_grids/parameters.hpp"
#include "kernels/random_grids/unrank.hpp"

namespace lockstep::random_grids {

// Tables in device memory, a row for each k.
struct UnrankSource {
    UnrankEntry const* entries = nullptr;
    unsigned char const* guide = nullptr;
    UnrankRow const* rows = nullptr;
};

struct UnrankParameters {
    GridParameters grid;
    unsigned short const* masks = nullptr;
    UnrankSource low;   // of 32 sites, or of all where there are no more
    UnrankSource high;  // of the rest
    unsigned const* split_high = nullptr;
    unsigned const* split_low = nullptr;
    unsigned char const* split_guide = nullptr;
    SplitRow const* split_rows = nullptr;
};

inline constexpr unsigned unrank_threads = 1024;

}  // namespace lockstep::random_grids

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

template <class T, unsigned n>
using UnrankArray = simt::LOCKSTEP_MACHINE::SharedArray<T, n>;

struct UnrankTile {
    static constexpr unsigned rows = 33;
    UnrankArray<UnrankEntry, rows * unrank_entries> entries;
    UnrankArray<UnrankRow, rows> row;
    UnrankArray<unsigned char, (rows << unrank_cell_bits)> guide;
};

struct WordTile {
    UnrankTile sets;
    UnrankArray<unsigned short, 65536> masks;
};

struct Word64Tile {
    UnrankTile low_sets;
    UnrankTile high_sets;
    UnrankArray<SplitRow, 65> split_row;
    UnrankArray<unsigned, 65 * split_thresholds> split_high;
    UnrankArray<unsigned char, (65 << split_cell_bits)> split_guide;
    UnrankArray<unsigned short, 65536> masks;
};

template <class Array, class T>
__device__ inline void copy_table(Array& to, T const* from, unsigned count) {
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        to[i] = from[i];
}

__device__ inline void copy_tables(UnrankTile& tile, UnrankSource const& from, unsigned sites) {
    copy_table(tile.entries, from.entries, (sites + 1) * unrank_entries);
    copy_table(tile.row, from.rows, sites + 1);
    copy_table(tile.guide, from.guide, (sites + 1) << unrank_cell_bits);
}

struct WordView {
    UnrankTile& tile;
    UnrankArray<unsigned short, 65536>& masks;

    __device__ UnrankRow row(unsigned k) { return tile.row[k]; }
    __device__ UnrankEntry entry(unsigned i) { return tile.entries[i]; }
    __device__ unsigned guide(unsigned i) { return static_cast<unsigned char>(tile.guide[i]); }
    __device__ unsigned mask(unsigned i) { return static_cast<unsigned short>(masks[i]); }

    // The set of that number among those of k sites.
    __device__ unsigned set(unsigned k, Rank const& rank) {
        unsigned const cell = rank.word >> (32 - unrank_cell_bits);
        return unrank<16>(*this, k * unrank_entries, guide((k << unrank_cell_bits) + cell), rank.number);
    }
};

struct SplitView {
    Word64Tile& tile;
    unsigned const* lows;

    __device__ unsigned high(unsigned i) { return tile.split_high[i]; }
    __device__ unsigned low(unsigned i) { return lows[i]; }
    __device__ unsigned split_guide(unsigned i) { return static_cast<unsigned char>(tile.split_guide[i]); }
};

// Two sets at a time, so that look-ups of one overlap with those of the other. draw(board) gives what finish(drawn)
// makes a set of.
template <unsigned at_once, class Draw, class Finish>
__device__ inline void draw_in_groups(unsigned length, Draw&& draw, Finish&& finish) {
    unsigned board = 0;
    for (; board + at_once <= length; board += at_once) {
        decltype(draw(0u)) drawn[at_once];
#pragma unroll
        for (unsigned i = 0; i < at_once; ++i)
            drawn[i] = draw(board + i);
        finish(drawn);
    }
    for (; board < length; ++board) {
        decltype(draw(0u)) drawn[1] = {draw(board)};
        finish(drawn);
    }
}

template <class Engine, bool stored, bool mixed>
__global__ void __launch_bounds__(unrank_threads)
    unranked_words(__grid_constant__ UnrankParameters const parameters, unsigned* const results) {
    GridParameters const& p = parameters.grid;
    auto& tile = simt::LOCKSTEP_MACHINE::shared_memory<WordTile>();
    copy_table(tile.masks, parameters.masks, 65536);
    copy_tables(tile.sets, parameters.low, p.width);
    __syncthreads();
    unsigned long long const stream = global_thread();
    if (stream >= p.streams)
        return;
    unsigned long long const unit = p.first_unit + stream;
    Engine engine = Engine::stream(p.seed, unit, 0);
    Sink<stored> sink = threadwise_sink<stored>(results, stream, words_of_stream(p, stored));
    WordView view{tile.sets, tile.masks};
    unsigned const base = mixed ? mixed_base(p.seed, unit) : 0;
    UnrankRow const fixed_row = view.row(p.occupied[0]);

    struct Drawn {
        Rank rank;
        unsigned occupied;
    };
    draw_in_groups<2>(
        p.length,
        [&](unsigned board) -> Drawn {
            unsigned const occupied = mixed ? mixed_occupied(base, board, p.width) : p.occupied[0];
            return {draw_rank(engine, mixed ? view.row(occupied) : fixed_row), occupied};
        },
        [&](auto const& drawn) {
            constexpr unsigned count = sizeof(drawn) / sizeof(Drawn);
            unsigned sets[count];
#pragma unroll
            for (unsigned i = 0; i < count; ++i)
                sets[i] = view.set(drawn[i].occupied, drawn[i].rank);
#pragma unroll
            for (unsigned i = 0; i < count; ++i)
                sink.put(sets[i]);
        });
    sink.finish();
}

template <class Engine, bool stored, bool mixed>
__global__ void __launch_bounds__(unrank_threads)
    unranked_words64(__grid_constant__ UnrankParameters const parameters, unsigned* const results) {
    GridParameters const& p = parameters.grid;
    auto& tile = simt::LOCKSTEP_MACHINE::shared_memory<Word64Tile>();
    copy_table(tile.masks, parameters.masks, 65536);
    copy_tables(tile.low_sets, parameters.low, 32);
    copy_tables(tile.high_sets, parameters.high, p.width - 32);
    copy_table(tile.split_row, parameters.split_rows, p.width + 1);
    copy_table(tile.split_high, parameters.split_high, (p.width + 1) * split_thresholds);
    copy_table(tile.split_guide, parameters.split_guide, (p.width + 1) << split_cell_bits);
    __syncthreads();
    unsigned long long const stream = global_thread();
    if (stream >= p.streams)
        return;
    unsigned long long const unit = p.first_unit + stream;
    Engine engine = Engine::stream(p.seed, unit, 0);
    Sink<stored> sink = threadwise_sink<stored>(results, stream, words_of_stream(p, stored));
    WordView low_view{tile.low_sets, tile.masks};
    WordView high_view{tile.high_sets, tile.masks};
    SplitView split{tile, parameters.split_low};
    unsigned const base = mixed ? mixed_base(p.seed, unit) : 0;
    SplitRow const fixed_row = tile.split_row[p.occupied[0]];

    struct Drawn {
        Rank low;
        Rank high;
        unsigned low_occupied;
        unsigned high_occupied;
    };
    draw_in_groups<2>(
        p.length,
        [&](unsigned board) -> Drawn {
            unsigned const occupied = mixed ? mixed_occupied(base, board, p.width) : p.occupied[0];
            SplitRow row = fixed_row;
            if (mixed)
                row = tile.split_row[occupied];
            unsigned const in_low = draw_split(split, engine, row, occupied * split_thresholds,
                                               occupied << split_cell_bits, split_cell_bits);
            Rank const low = draw_rank(engine, low_view.row(in_low));
            Rank const high = draw_rank(engine, high_view.row(occupied - in_low));
            return {low, high, in_low, occupied - in_low};
        },
        [&](auto const& drawn) {
            constexpr unsigned count = sizeof(drawn) / sizeof(Drawn);
            unsigned sets[2 * count];
#pragma unroll
            for (unsigned i = 0; i < count; ++i) {
                sets[2 * i] = low_view.set(drawn[i].low_occupied, drawn[i].low);
                sets[2 * i + 1] = high_view.set(drawn[i].high_occupied, drawn[i].high);
            }
#pragma unroll
            for (unsigned i = 0; i < 2 * count; ++i)
                sink.put(sets[i]);
        });
    sink.finish();
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
