#pragma once
// Sets of up to 64 sites drawn by number: one thread per stream, tables in shared memory, one block of 1024 threads per
// multiprocessor, which copies the tables once and draws its share of all streams.
//
// Bottleneck: instructions, with shared memory close behind. Shared memory serves a warp's 32 accesses in one pass only
// if they hit 32 different banks; random words take 3.5 passes. So only these lookups are random: the masks, two per
// word of the set, and, if k is mixed, the split of a set into its words. The alias table that splits a word has a copy
// per lane, so that its lookup takes one pass; the 17 populations of a part are in different banks, which makes two
// passes for their 8 bytes. Passes: 13 per set of 32 bits, 26 per set of 64. Instructions: 46 and 104 if all fields
// decide, with 1.5 and 3.5 random words. What diverges: fields that do not decide (1 in 4096) and numbers that might be
// rejected (1 in 700). Bytes: 4 or 8 per set if stored; 205 KiB of tables per block, from the L2.

#include "common/random_grids/parameters.hpp"
#include "kernels/random_grids/rounds.hpp"
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
    unsigned sites = 0;  // of a set
    MaskBlock const* masks = nullptr;
    PartSets const* parts = nullptr;  // 17 for each of four parts
    SplitSource low;                  // splits the first word into its parts
    SplitSource high;                 // splits the second one
    SplitSource pair;                 // splits a set into words
    unsigned high_sites = 0;          // sites in the second word
    // Sizes of elements, passed at run time: if the compiler knew them, it would replace one multiplication by shifts
    // and additions, which run on the busiest pipe.
    unsigned part_bytes = sizeof(PartSets);
    unsigned mask_bytes = sizeof(unsigned short);
};

inline constexpr unsigned unrank_threads = 1024;
inline constexpr unsigned populations = 17;  // per part
inline constexpr unsigned mask_blocks = 8192;
inline constexpr unsigned word_rows = 33;  // rows of a split table, at most
inline constexpr unsigned pair_rows = 65;

}  // namespace lockstep::random_grids

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

template <class T, unsigned n>
using UnrankArray = SharedArray<T, n>;

// The outcomes of the words' splits are byte offsets in `parts`; `first` of a part is a byte offset in `masks`.
struct UnrankTile {
    static constexpr unsigned word_entries = word_rows << word_column_bits;
    static constexpr unsigned part_bytes = sizeof(PartSets);
    static constexpr unsigned parts_bytes = populations * part_bytes;
    static constexpr unsigned mask_bytes = sizeof(unsigned short);
    UnrankArray<unsigned, word_entries * 32> low;  // entry e of lane l is at 32 e + l
    UnrankArray<unsigned, word_entries> high;      // unused if it equals the low one
    UnrankArray<unsigned, (pair_rows << pair_column_bits)> pair;
    UnrankArray<PartSets, 4 * populations> parts;
    UnrankArray<MaskBlock, mask_blocks> masks;
};

// The mask at an offset in bytes.
#if defined(LOCKSTEP_EMULATOR)
template <unsigned n>
inline unsigned mask_at(simt::emulator::SharedArray<MaskBlock, n>& blocks, unsigned bytes) {
    MaskBlock const block = shared_at(blocks, bytes & ~15u);
    return block.masks[bytes / 2 % 8];
}
#elif defined(__CUDACC__)
template <unsigned n>
__device__ inline unsigned mask_at(MaskBlock (&blocks)[n], unsigned bytes) {
    return *reinterpret_cast<unsigned short const*>(reinterpret_cast<unsigned char const*>(blocks) + bytes);
}
#endif

// Scales both outcomes of an entry by the bytes of a part.
__device__ inline unsigned in_part_bytes(unsigned entry) {
    static_assert(16 * UnrankTile::part_bytes < 256, "an outcome must fit into a byte");
    return (entry & 0xFFFF0000u) + (entry & 0xFFFFu) * UnrankTile::part_bytes;
}

// to[i] = made(i). A thread makes eight elements before it stores one, so that it waits for eight loads at a time.
template <class Array, class Make>
__device__ inline void fill_table(Array& to, unsigned count, Make&& made) {
    constexpr unsigned batch = 8;
    unsigned i = threadIdx.x;
    for (; i + (batch - 1) * blockDim.x < count; i += batch * blockDim.x) {
        decltype(made(0u)) values[batch];
#pragma unroll
        for (unsigned j = 0; j < batch; ++j)
            values[j] = made(i + j * blockDim.x);
#pragma unroll
        for (unsigned j = 0; j < batch; ++j)
            to[i + j * blockDim.x] = values[j];
    }
    for (; i < count; i += blockDim.x)
        to[i] = made(i);
}

__device__ inline void copy_tables(UnrankTile& tile, UnrankParameters const& p) {
    unsigned const low_sites = p.sites < 32 ? p.sites : 32;
    fill_table(tile.masks, mask_blocks, [&](unsigned i) { return p.masks[i]; });
    fill_table(tile.parts, 4 * populations, [&](unsigned i) {
        return PartSets{p.parts[i].sets, p.parts[i].first * UnrankTile::mask_bytes};
    });
    fill_table(tile.low, ((low_sites + 1) << word_column_bits) * 32,
               [&](unsigned i) { return in_part_bytes(p.low.entries[i / 32]); });
    if (p.high_sites != 0) {
        fill_table(tile.high, (p.high_sites + 1) << word_column_bits,
                   [&](unsigned i) { return in_part_bytes(p.high.entries[i]); });
        fill_table(tile.pair, (p.sites + 1) << pair_column_bits, [&](unsigned i) { return p.pair.entries[i]; });
    }
}

template <unsigned columns>
struct SplitTails {
    static constexpr unsigned column_bits = columns;
    static constexpr unsigned tail_words = split_tail_words;
    unsigned const* tails;

    __device__ unsigned tail(unsigned column, unsigned i) { return tails[column * 2 * tail_words + i]; }
};

// Access to a table with 32 copies, one per lane in the lane's own bank, or with one copy for all lanes.
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

// Draws eight parts at a time: four sets of one word or two sets of two. `equal_split`: the second word has the same
// split as the first. `mixed`: k may differ from set to set; `always_mixed`: it does, without a test.
template <class Engine, bool mixed, bool always_mixed, unsigned words, bool equal_split>
class UnrankDrawer {
public:
    static constexpr unsigned sets_per_draw = 4 / words;

    __device__ UnrankDrawer(UnrankTile& tile, UnrankParameters const& p, unsigned long long unit)
        : tile_(tile),
          p_(p),
          engine_(Engine::stream(p.grid.seed, unit, 0)),
          mixed_at_(mixed ? mixed_base(p.grid.seed, unit) : 0),
          lane_(threadIdx.x % 32) {}

    // Draws the stream's next sets. Unless `all`, the sets from number `end` on have no sites.
    template <bool all>
    __device__ void draw(unsigned end, unsigned (&sets)[4]) {
        unsigned occupied[sets_per_draw];
#pragma unroll
        for (unsigned i = 0; i < sets_per_draw; ++i) {
            occupied[i] = next_occupied();
            if (!all && i >= end)
                occupied[i] = 0;
        }
        unsigned fields[sets_per_draw * splits];
        draw_fields(engine_, fields);
        // Usually all fields decide. A set with an undecided field is split again by the exact path.
        PartSets parts[2][4];
        bool undecided[sets_per_draw];
        bool one_undecided = false;
#pragma unroll
        for (unsigned i = 0; i < sets_per_draw; ++i) {
            undecided[i] = split_set<true>(occupied[i], fields + i * splits, parts_of(parts, i));
            one_undecided = one_undecided || undecided[i];
        }
        if (one_undecided) {
#pragma unroll
            for (unsigned i = 0; i < sets_per_draw; ++i) {
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
            unsigned const low = mask_at(tile_.masks, masks[i / 2][i % 2 * 2]);
            unsigned const high = mask_at(tile_.masks, masks[i / 2][i % 2 * 2 + 1]);
            sets[i] = high * 65536u + low;
        }
    }

private:
    static constexpr unsigned splits = words == 1 ? 1 : 3;  // per set

    __device__ unsigned next_occupied() {
        if constexpr (!mixed)
            return p_.grid.occupied[0];
        unsigned const here = mixed_at_;
        mixed_at_ += 0x9E3779B9u;  // the step per board of mixed_occupied()
        return always_mixed || p_.grid.mixed != 0 ? mixed_occupied(here, 0, p_.sites) : p_.grid.occupied[0];
    }

    __device__ static PartSets* parts_of(PartSets (&parts)[2][4], unsigned set) {
        return words == 1 ? parts[set / 2] + set % 2 * 2 : parts[set];
    }

    // Looks up the masks that each part of a set may have. Returns true if a field did not decide, which `quick` does
    // not resolve.
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
            // In sites; the words' splits return bytes.
            unsigned const in_low = split(PairView(tile_.pair, p_.pair.tails, 0), occupied, fields[0]);
            put_parts(split(low, in_low, fields[1]), in_low, parts, 0);
            unsigned const in_high = occupied - in_low;
            if constexpr (equal_split) {
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
    unsigned mixed_at_;  // hash input of the next set's k; carried along, else every set recomputes the base
    unsigned lane_;
};

// Puts the rows of the boards of a draw, from number 0 to `boards`: their sites are packed into the sets. Rows of eight
// sites that fill a set are its bytes, one instruction each.
template <unsigned words, bool stored>
__device__ inline void put_rows(GridParameters const& p, unsigned const (&sets)[4], unsigned boards,
                                Sink<stored>& sink) {
    bool const bytes = p.width == 8 && p.height == 4 * words;
#pragma unroll
    for (unsigned i = 0; i < 4 / words; ++i) {
        if (i >= boards)
            break;
        if (bytes) {
#pragma unroll
            for (unsigned row = 0; row < 4 * words; ++row)
                sink.put(__byte_perm(sets[i * words + row / 4], 0, 0x4440 + row % 4));
            continue;
        }
        unsigned long long left = sets[i * words];
        if (words == 2)
            left |= static_cast<unsigned long long>(sets[i * words + words - 1]) << 32;
        unsigned row = 0;
        for (; row + 4 <= p.height; row += 4) {
#pragma unroll
            for (unsigned j = 0; j < 4; ++j, left >>= p.width)
                sink.put(static_cast<unsigned>(left) & p.last_mask);
        }
        for (; row < p.height; ++row, left >>= p.width)
            sink.put(static_cast<unsigned>(left) & p.last_mask);
    }
}

// Draws the sets of a stream. `rows`: boards of several rows, of at most 32 sites each; else a set is one row.
template <class Engine, bool stored, bool mixed, unsigned words, bool equal_split, bool rows>
__device__ inline void draw_unranked(UnrankTile& tile, UnrankParameters const& parameters, unsigned long long stream,
                                     unsigned* results) {
    GridParameters const& p = parameters.grid;
    Sink<stored> sink = threadwise_sink<stored>(results, stream, words_of_stream(p, stored));
    // One row of at most 32 sites, or of 64, has separate kernels for mixed k.
    constexpr bool always_mixed = mixed && !rows && (words == 1 || equal_split);
    UnrankDrawer<Engine, mixed, always_mixed, words, equal_split> drawer(tile, parameters, p.first_unit + stream);
    constexpr unsigned sets_per_draw = decltype(drawer)::sets_per_draw;
    unsigned sets[4];
    unsigned board = 0;
    for (; board + sets_per_draw <= p.length; board += sets_per_draw) {
        drawer.template draw<true>(sets_per_draw, sets);
        if constexpr (rows) {
            put_rows<words>(p, sets, sets_per_draw, sink);
        } else {
#pragma unroll
            for (unsigned i = 0; i < 4; ++i)
                sink.put(sets[i]);
        }
    }
    if (board < p.length) {
        drawer.template draw<false>(p.length - board, sets);
        if constexpr (rows) {
            put_rows<words>(p, sets, p.length - board, sink);
        } else {
#pragma unroll
            for (unsigned i = 0; i < 4; ++i) {
                if (board + i / words < p.length)
                    sink.put(sets[i]);
            }
        }
    }
    sink.finish();
}

template <class Engine, bool stored, bool mixed, unsigned words, bool equal_split, bool rows>
__global__ void __launch_bounds__(unrank_threads)
    unranked_words(__grid_constant__ UnrankParameters const parameters, unsigned* const results) {
    auto& tile = shared_memory<UnrankTile>();
    copy_tables(tile, parameters);
    __syncthreads();
    for_each_stream(parameters.grid.streams, [&](unsigned long long stream) {
        draw_unranked<Engine, stored, mixed, words, equal_split, rows>(tile, parameters, stream, results);
    });
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
