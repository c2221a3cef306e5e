#pragma once
// Sets of up to 64 sites drawn by number, a thread a stream, tables in shared memory: one block of 1024 threads a
// multiprocessor.
//
// What limits: instructions, with shared memory close behind. Shared memory serves 32 different words at once only from
// 32 different banks; random ones take 3.5 turns. So only the masks are looked up at random, two a word of the set, and
// where k is mixed a set's count in its words; the alias tables that split a word have a copy for each lane, and one
// turn, and the 17 populations of a part lie in different banks, two turns for their 8 bytes. Turns: 13 a set of 32
// bits, 26 of 64. Instructions: 46 and 104 where all fields decide, with 1.5 and 3.5 random words. What diverges:
// fields that do not decide (1 in 4096) and numbers that might be rejected (1 in 700). Bytes: 4 or 8 a set where
// stored; 205 KB of tables a block, from the L2.

#include "common/random_grids/parameters.hpp"
#include "kernels/random_grids/shared_at.hpp"
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
    // Sizes of elements, told at run time: where they are known, shifts and additions for the busiest pipe take the
    // place of one multiplication.
    unsigned part_bytes = sizeof(PartSets);
    unsigned mask_bytes = sizeof(unsigned short);
};

inline constexpr unsigned unrank_threads = 1024;
inline constexpr unsigned populations = 17;  // of a part
inline constexpr unsigned word_rows = 33;    // of a split table, at most
inline constexpr unsigned pair_rows = 65;

}  // namespace lockstep::random_grids

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

template <class T, unsigned n>
using UnrankArray = SharedArray<T, n>;

// Outcomes of the words' splits are distances in `parts`, and what parts hold for `first` is one in `masks`.
struct UnrankTile {
    static constexpr unsigned word_entries = word_rows << word_column_bits;
    static constexpr unsigned part_bytes = sizeof(PartSets);
    static constexpr unsigned parts_bytes = populations * part_bytes;
    static constexpr unsigned mask_bytes = sizeof(unsigned short);
    UnrankArray<unsigned, word_entries * 32> low;  // entry e for lane l is number 32 e + l
    UnrankArray<unsigned, word_entries> high;      // unless it is as the low one
    UnrankArray<unsigned, (pair_rows << pair_column_bits)> pair;
    UnrankArray<PartSets, 4 * populations> parts;
    UnrankArray<unsigned short, 65536> masks;
};

// Both outcomes of an entry times the bytes of a part.
__device__ inline unsigned in_part_bytes(unsigned entry) {
    static_assert(16 * UnrankTile::part_bytes < 256, "an outcome has a byte");
    return (entry & 0xFFFF0000u) + (entry & 0xFFFFu) * UnrankTile::part_bytes;
}

// to[i] = made(i).
template <class Array, class Make>
__device__ inline void fill_table(Array& to, unsigned count, Make&& made) {
#pragma unroll 16
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        to[i] = made(i);
}

__device__ inline void copy_tables(UnrankTile& tile, UnrankParameters const& p) {
    unsigned const low_sites = p.grid.width < 32 ? p.grid.width : 32;
    fill_table(tile.masks, 65536, [&](unsigned i) { return p.masks[i]; });
    fill_table(tile.parts, 4 * populations, [&](unsigned i) {
        return PartSets{p.parts[i].sets, p.parts[i].first * UnrankTile::mask_bytes};
    });
    fill_table(tile.low, ((low_sites + 1) << word_column_bits) * 32,
               [&](unsigned i) { return in_part_bytes(p.low.entries[i / 32]); });
    if (p.high_sites != 0) {
        fill_table(tile.high, (p.high_sites + 1) << word_column_bits,
                   [&](unsigned i) { return in_part_bytes(p.high.entries[i]); });
        fill_table(tile.pair, (p.grid.width + 1) << pair_column_bits, [&](unsigned i) { return p.pair.entries[i]; });
    }
}

template <unsigned columns>
struct SplitTails {
    static constexpr unsigned column_bits = columns;
    static constexpr unsigned tail_words = split_tail_words;
    unsigned const* tails;

    __device__ unsigned tail(unsigned column, unsigned i) { return tails[column * 2 * tail_words + i]; }
};

// A table of which each lane has `copies`: 32 with one for each lane, in its own bank, or one for all.
template <class Array, unsigned columns, unsigned copies>
struct SplitView : SplitTails<columns> {
    Array& entries;
    unsigned lane_bytes;

    __device__ SplitView(Array& entries_, unsigned const* tails_, unsigned lane)
        : SplitTails<columns>{tails_}, entries(entries_), lane_bytes(copies == 1 ? 0 : lane * 4) {}
    __device__ unsigned entry(unsigned column) { return shared_at(entries, column * (copies * 4) + lane_bytes); }
};

using LowView = SplitView<UnrankArray<unsigned, UnrankTile::word_entries * 32>, word_column_bits, 32>;
using HighView = SplitView<UnrankArray<unsigned, UnrankTile::word_entries>, word_column_bits, 1>;
using PairView = SplitView<UnrankArray<unsigned, (pair_rows << pair_column_bits)>, pair_column_bits, 1>;

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
          mixed_at_(mixed ? mixed_base(p.grid.seed, unit) : 0),
          lane_(threadIdx.x % 32) {}

    // The stream's next sets. Where they are not `all`, those from number `end` on have no sites.
    template <bool all>
    __device__ void draw(unsigned end, unsigned (&sets)[4]) {
        unsigned occupied[at_once];
#pragma unroll
        for (unsigned i = 0; i < at_once; ++i) {
            occupied[i] = next_occupied();
            if (!all && i >= end)
                occupied[i] = 0;
        }
        unsigned fields[at_once * splits];
        draw_fields(engine_, fields);
        // Nearly always all fields decide; a set of which one does not is split once more with care.
        PartSets parts[2][4];
        bool undecided[at_once];
        bool one_undecided = false;
#pragma unroll
        for (unsigned i = 0; i < at_once; ++i) {
            undecided[i] = split_set<true>(occupied[i], fields + i * splits, parts_of(parts, i));
            one_undecided = one_undecided || undecided[i];
        }
        if (one_undecided) {
#pragma unroll
            for (unsigned i = 0; i < at_once; ++i) {
                if (undecided[i])
                    split_set<false>(occupied[i], fields + i * splits, parts_of(parts, i));
            }
        }
        unsigned masks[2][4];
#pragma unroll
        for (unsigned i = 0; i < 2; ++i)
            draw_digits<16>(engine_, parts[i], p_.mask_bytes, masks[i]);
#pragma unroll
        for (unsigned i = 0; i < 4; ++i) {
            unsigned const low = shared_at(tile_.masks, masks[i / 2][i % 2 * 2]);
            unsigned const high = shared_at(tile_.masks, masks[i / 2][i % 2 * 2 + 1]);
            sets[i] = high * 65536u + low;
        }
    }

private:
    static constexpr unsigned splits = words == 1 ? 1 : 3;  // of a set

    __device__ unsigned next_occupied() {
        if constexpr (!mixed)
            return p_.grid.occupied[0];
        unsigned const here = mixed_at_;
        mixed_at_ += 0x9E3779B9u;  // from board to board, as mixed_occupied() counts
        // All but odd sizes have kernels for mixed k alone, where nothing is asked.
        constexpr bool always = words == 1 || alike;
        return always || p_.grid.mixed != 0 ? mixed_occupied(here, 0, p_.grid.width) : p_.grid.occupied[0];
    }

    __device__ static PartSets* parts_of(PartSets (&parts)[2][4], unsigned set) {
        return words == 1 ? parts[set / 2] + set % 2 * 2 : parts[set];
    }

    // The masks that each part of a set may have. Says whether a field did not decide, which `quick` leaves open.
    template <bool quick>
    __device__ bool split_set(unsigned occupied, unsigned const* fields, PartSets* parts) {
        bool undecided = false;
        auto const split = [&](auto&& view, unsigned k, unsigned field) {
            if constexpr (quick)
                return split_by_field<bits_of_words<Engine>()>(view, k, field, undecided);
            else
                return draw_split(view, engine_, k, field);
        };
        LowView low(tile_.low, p_.low.tails, lane_);
        if constexpr (words == 1) {
            put_parts(split(low, occupied, fields[0]), occupied, parts, 0);
        } else {
            // In sites; what words' splits give are bytes.
            unsigned const in_low = split(PairView(tile_.pair, p_.pair.tails, 0), occupied, fields[0]);
            put_parts(split(low, in_low, fields[1]), in_low, parts, 0);
            unsigned const in_high = occupied - in_low;
            if constexpr (alike) {
                put_parts(split(low, in_high, fields[2]), in_high, parts + 2, 2);
            } else {
                put_parts(split(HighView(tile_.high, p_.high.tails, 0), in_high, fields[2]), in_high, parts + 2, 2);
            }
        }
        return undecided;
    }

    __device__ void put_parts(unsigned in_low_bytes, unsigned occupied, PartSets* parts, unsigned first) {
        unsigned const in_high_bytes = occupied * p_.part_bytes - in_low_bytes;
        parts[0] = shared_at(tile_.parts, in_low_bytes + first * UnrankTile::parts_bytes);
        parts[1] = shared_at(tile_.parts, in_high_bytes + (first + 1) * UnrankTile::parts_bytes);
    }

    UnrankTile& tile_;
    UnrankParameters const& p_;
    Engine engine_;
    unsigned mixed_at_;  // what the next set's k comes from; carried along, as the base would be computed for each set
    unsigned lane_;
};

template <class Engine, bool stored, bool mixed, unsigned words, bool alike>
__global__ void __launch_bounds__(unrank_threads)
    unranked_words(__grid_constant__ UnrankParameters const parameters, unsigned* const results) {
    GridParameters const& p = parameters.grid;
    auto& tile = shared_memory<UnrankTile>();
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
        drawer.template draw<true>(at_once, sets);
#pragma unroll
        for (unsigned i = 0; i < 4; ++i)
            sink.put(sets[i]);
    }
    if (board < p.length) {
        drawer.template draw<false>(p.length - board, sets);
#pragma unroll
        for (unsigned i = 0; i < 4; ++i) {
            if (board + i / words < p.length)
                sink.put(sets[i]);
        }
    }
    sink.finish();
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
