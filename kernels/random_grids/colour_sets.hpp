#pragma once
// Parameters of `tree` for two colours, its tables in shared memory, and how a set of 60 sites is split with them into
// parts of 15.

#include "common/random_grids/colour_shape.hpp"
#include "kernels/random_grids/tree_sets.hpp"

namespace lockstep::random_grids {

// A plane: its candidates, and the tables of its groups and sets that are not full.
struct ColourPlane {
    unsigned sites = 0;    // candidates
    unsigned pack = 0;     // a word of two parts is the second one times this plus the first one
    TreeSource top;        // splits the plane between two groups
    TreeSource end_group;  // splits the last group, if it has two sets of which the last one is not full
    SplitSource pair;      // splits of the last set, if it is not full: into words, and words into parts
    SplitSource words[2];
};

struct ColourParameters {
    GridParameters grid;
    MaskBlock const* masks = nullptr;   // of 15 bits
    unsigned const* deposit = nullptr;  // byte 256 m + b: the lowest bits of b on the sites of m
    PartSets const* parts = nullptr;    // 16 for the parts of a full set, then for each part of the planes' last sets
    SplitSource pair;                   // of a full set
    SplitSource word;
    TreeSource group;  // splits a full group
    ColourPlane planes[colour_planes];
    PhiloxKeys keys;
    unsigned one = 1;                        // see held_tile
    unsigned part_bytes = sizeof(PartSets);  // see UnrankParameters
    unsigned mask_bytes = sizeof(unsigned short);
};

// C(240, 120) < 2^236.
inline constexpr unsigned colour_words = 8;

}  // namespace lockstep::random_grids

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

struct ColourTile {
    static constexpr unsigned populations = colour_part_sites + 1;
    static constexpr unsigned word_entries = (2 * colour_part_sites + 1) << word_column_bits;
    static constexpr unsigned pair_entries = (4 * colour_part_sites + 1) << pair_column_bits;
    static constexpr unsigned parts_bytes = populations * UnrankTile::part_bytes;
    static constexpr unsigned sets = 1 + colour_planes;  // a full one, then the planes' last ones
    SharedArray<unsigned, 32 * word_entries> words;      // entry e of lane l is at 32 e + l
    SharedArray<unsigned, 2 * colour_planes * word_entries> end_words;
    SharedArray<unsigned, sets * pair_entries> pairs;
    SharedArray<PartSets, (1 + 4 * colour_planes) * populations> parts;
    SharedArray<unsigned, deposit_words> deposit;
    SharedArray<MaskBlock, (1u << colour_part_sites) / 8> masks;
};

// Copies the first `entries` entries of a split table, each changed by make(), to `to` from index `first` on.
template <class Array, class Make>
__device__ inline void copy_split(Array& to, unsigned first, unsigned entries, SplitSource const& from, Make&& make) {
    for (unsigned i = threadIdx.x; i < entries; i += blockDim.x)
        to[first + i] = make(from.entries[i]);
}

__device__ inline void copy_colour_tables(ColourTile& tile, ColourParameters const& p) {
    fill_table(tile.masks, (1u << colour_part_sites) / 8, [&](unsigned i) { return p.masks[i]; });
    fill_table(tile.deposit, deposit_words, [&](unsigned i) { return p.deposit[i]; });
    fill_table(tile.words, 32 * ColourTile::word_entries,
               [&](unsigned i) { return in_part_bytes(p.word.entries[i / 32]); });
    fill_table(tile.parts, (1 + 4 * colour_planes) * ColourTile::populations, [&](unsigned i) {
        return PartSets{p.parts[i].sets, p.parts[i].first * UnrankTile::mask_bytes};
    });
    auto const same = [](unsigned entry) { return entry; };
    auto const scaled = [](unsigned entry) { return in_part_bytes(entry); };
    copy_split(tile.pairs, 0, ColourTile::pair_entries, p.pair, same);
    for (unsigned plane = 0; plane < colour_planes; ++plane) {
        ColourPlane const& of = p.planes[plane];
        unsigned const end = of.sites % colour_set_sites;
        if (end == 0)
            continue;
        unsigned const low = end < 2 * colour_part_sites ? end : 2 * colour_part_sites;
        copy_split(tile.pairs, (1 + plane) * ColourTile::pair_entries, (end + 1) << pair_column_bits, of.pair, same);
        copy_split(tile.end_words, 2 * plane * ColourTile::word_entries, (low + 1) << word_column_bits, of.words[0],
                   scaled);
        copy_split(tile.end_words, (2 * plane + 1) * ColourTile::word_entries, (end - low + 1) << word_column_bits,
                   of.words[1], scaled);
    }
}

// Split of a table in shared memory: entry e is `stride` e bytes after the first one.
template <class Array, unsigned columns>
struct ColourView : SplitTails<columns> {
    Array& entries;
    unsigned first_bytes;
    unsigned stride;

    __device__ ColourView(Array& entries_, unsigned const* tails_, unsigned first_bytes_, unsigned stride_)
        : SplitTails<columns>{tails_}, entries(entries_), first_bytes(first_bytes_), stride(stride_) {}
    __device__ unsigned entry(unsigned column) { return shared_at(entries, column * stride + first_bytes); }
};

// Splits a set of `occupied` sites; split(view, k, field) returns the low part's share. `end`: the plane's last set,
// which is not full.
template <bool end, class Split>
__device__ inline InParts split_colour_set(ColourTile& tile, ColourParameters const& p, unsigned plane, unsigned lane,
                                           unsigned occupied, unsigned const (&fields)[3], Split&& split) {
    using Pairs = ColourView<decltype(tile.pairs), pair_column_bits>;
    using Words = ColourView<decltype(tile.words), word_column_bits>;
    using EndWords = ColourView<decltype(tile.end_words), word_column_bits>;
    ColourPlane const& of = p.planes[plane];
    unsigned const first_pair = end ? (1 + plane) * ColourTile::pair_entries * 4 : 0;
    unsigned const low =
        split(Pairs(tile.pairs, end ? of.pair.tails : p.pair.tails, first_pair, 4), occupied, fields[0]);
    unsigned const in_word[2] = {low, occupied - low};
    InParts in{};
#pragma unroll
    for (unsigned i = 0; i < 2; ++i) {
        if constexpr (end) {
            unsigned const first = (2 * plane + i) * ColourTile::word_entries * 4;
            in.bytes[2 * i] = split(EndWords(tile.end_words, of.words[i].tails, first, 4), in_word[i], fields[1 + i]);
        } else {
            in.bytes[2 * i] = split(Words(tile.words, p.word.tails, lane * 4, 128), in_word[i], fields[1 + i]);
        }
        in.bytes[2 * i + 1] = in_word[i] * p.part_bytes - in.bytes[2 * i];
    }
    return in;
}

// Whether a field leaves open a split whose high part has no sites. The tables of such a split have one outcome per
// column, whose undecided field is the first one.
template <unsigned column_bits, unsigned word_bits>
__device__ inline bool is_open(unsigned field) {
    return field << column_bits < 1u << (32 - word_bits / 2 + column_bits);
}

// Splits the last set of a plane, of which all but the first `parts` parts have no sites, by fields alone. The splits
// that have one outcome are not looked up.
template <unsigned parts, unsigned word_bits>
__device__ inline InParts split_few_parts(ColourTile& tile, ColourParameters const& p, unsigned plane,
                                          unsigned occupied, unsigned const (&fields)[3], bool& undecided) {
    static_assert(parts >= 1 && parts < 4);
    using Pairs = ColourView<decltype(tile.pairs), pair_column_bits>;
    using EndWords = ColourView<decltype(tile.end_words), word_column_bits>;
    ColourPlane const& of = p.planes[plane];
    unsigned in_word[2] = {occupied, 0};
    if constexpr (parts > 2) {
        unsigned const first = (1 + plane) * ColourTile::pair_entries * 4;
        Pairs view(tile.pairs, of.pair.tails, first, 4);
        in_word[0] = split_by_field<word_bits>(view, occupied, fields[0], undecided);
        in_word[1] = occupied - in_word[0];
    } else {
        undecided = undecided || is_open<pair_column_bits, word_bits>(fields[0]);
    }
    InParts in{};
#pragma unroll
    for (unsigned i = 0; i < 2; ++i) {
        in.bytes[2 * i] = in_word[i] * p.part_bytes;
        if (parts > 2 * i + 1) {
            unsigned const first = (2 * plane + i) * ColourTile::word_entries * 4;
            EndWords view(tile.end_words, of.words[i].tails, first, 4);
            unsigned const low = split_by_field<word_bits>(view, in_word[i], fields[1 + i], undecided);
            in.bytes[2 * i + 1] = in.bytes[2 * i] - low;
            in.bytes[2 * i] = low;
        } else {
            undecided = undecided || is_open<word_column_bits, word_bits>(fields[1 + i]);
        }
    }
    return in;
}

// Splits a set with a field that does not decide. Hardly ever called (see LowDrawn).
template <class Engine>
LOCKSTEP_NOINLINE __device__ SetSplit<Engine> split_colour_set_exactly(ColourTile& tile, ColourParameters const& p,
                                                                       unsigned plane, bool end, Engine engine,
                                                                       unsigned occupied, unsigned field0,
                                                                       unsigned field1, unsigned field2) {
    unsigned const fields[3] = {field0, field1, field2};
    auto const exactly = [&](auto&& view, unsigned k, unsigned field) { return draw_split(view, engine, k, field); };
    InParts const in = end ? split_colour_set<true>(tile, p, plane, threadIdx.x % 32, occupied, fields, exactly)
                           : split_colour_set<false>(tile, p, plane, threadIdx.x % 32, occupied, fields, exactly);
    return {engine, in};
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
