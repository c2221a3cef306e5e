#pragma once
// Parameters of `tree`, its tables in shared memory, and how a set of 64 sites is split with them into parts of 16, on
// the path where all fields decide and on the ones that are hardly ever taken.

#include "common/random_grids/tree_shape.hpp"
#include "kernels/random_grids/keyed_philox.hpp"
#include "kernels/random_grids/shared_at.hpp"
#include "kernels/random_grids/tree_split.hpp"
#include "kernels/random_grids/unranked.hpp"

namespace lockstep::random_grids {

struct TreeParameters {
    GridParameters grid;
    MaskBlock const* masks = nullptr;
    PartSets const* parts = nullptr;  // 17 for the parts of a full set, then 17 for each part of the last set
    SplitSource pair;                 // splits of a full set: into words, and a word into parts
    SplitSource word;
    SplitSource end_pair;  // the same for the last set, if it has fewer sites
    SplitSource end_words[2];
    TreeSource nodes[tree_max_level + 1];  // by level: all nodes but a smaller one at the end
    TreeSource ends[tree_max_level + 1];
    PhiloxKeys keys;
    unsigned sites = 0;
    unsigned top = 0;
    unsigned one = 1;                        // see held_tile
    unsigned part_bytes = sizeof(PartSets);  // see UnrankParameters
    unsigned mask_bytes = sizeof(unsigned short);
};

// The table of a full group: rows for at most half of its sites, in 2^6 columns (tree_tables.hpp says what the others
// are).
inline constexpr unsigned tree_group_rows = 65;
inline constexpr unsigned tree_group_column_bits = 6;

// Threads per block. Philox needs more registers than each of `tree_max_threads` has: with fewer threads, none of its
// words are spilled.
inline constexpr unsigned tree_max_threads = 1024;
inline constexpr unsigned tree_fewer_threads = 768;

}  // namespace lockstep::random_grids

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

// Entry of the table of groups with half of the first word and outcomes of one byte.
__device__ inline unsigned short_entry(unsigned long long entry) {
    auto const outcomes = static_cast<unsigned>(entry);
    return static_cast<unsigned>(entry >> 48) << 16 | (outcomes >> 16 & 0xFFu) << 8 | (outcomes & 0xFFu);
}

// The tables that groups use: all but those of the board's last set.
struct TreeTile {
    static constexpr unsigned word_entries = word_rows << word_column_bits;
    static constexpr unsigned pair_entries = pair_rows << pair_column_bits;
    SharedArray<unsigned, 32 * word_entries> words;  // entry e of lane l is at 32 e + l
    SharedArray<unsigned, pair_entries> pairs;
    SharedArray<unsigned, tree_group_rows << tree_group_column_bits> groups;
    SharedArray<PartSets, 5 * populations> parts;
    SharedArray<MaskBlock, mask_blocks> masks;
};

__device__ inline void copy_tree_tables(TreeTile& tile, TreeParameters const& p) {
    fill_table(tile.masks, mask_blocks, [&](unsigned i) { return p.masks[i]; });
    fill_table(tile.parts, 5 * populations, [&](unsigned i) {
        return PartSets{p.parts[i].sets, p.parts[i].first * UnrankTile::mask_bytes};
    });
    fill_table(tile.words, TreeTile::word_entries * 32,
               [&](unsigned i) { return in_part_bytes(p.word.entries[i / 32]); });
    fill_table(tile.pairs, TreeTile::pair_entries, [&](unsigned i) { return p.pair.entries[i]; });
    if (p.sites >= 128)
        fill_table(tile.groups, tree_group_rows << tree_group_column_bits,
                   [&](unsigned i) { return short_entry(p.nodes[0].entries[i]); });
}

// Splits of a set: a full one has its tables in shared memory, the last one of a board in device memory.
struct SetSplits {
    bool last;
    SplitSource pair;
    SplitSource words[2];
    unsigned parts;      // offset of the first part's sets, in bytes
    unsigned next_part;  // from one part to the next
};

__device__ inline SetSplits splits_of(TreeParameters const& p, bool last) {
    if (!last)
        return {false, p.pair, {p.word, p.word}, 0, 0};
    return {true, p.end_pair, {p.end_words[0], p.end_words[1]}, UnrankTile::parts_bytes, UnrankTile::parts_bytes};
}

struct PairSplit : SplitTails<pair_column_bits> {
    TreeTile& tile;
    SetSplits const& set;

    __device__ PairSplit(TreeTile& tile_, SetSplits const& set_)
        : SplitTails<pair_column_bits>{set_.pair.tails}, tile(tile_), set(set_) {}
    __device__ unsigned entry(unsigned column) {
        return set.last ? set.pair.entries[column] : shared_at(tile.pairs, column * 4);
    }
};

struct WordSplit : SplitTails<word_column_bits> {
    TreeTile& tile;
    SetSplits const& set;
    unsigned word;
    unsigned lane_bytes;

    __device__ WordSplit(TreeTile& tile_, SetSplits const& set_, unsigned word_, unsigned lane)
        : SplitTails<word_column_bits>{set_.words[word_].tails},
          tile(tile_),
          set(set_),
          word(word_),
          lane_bytes(lane * 4) {}
    __device__ unsigned entry(unsigned column) {
        return set.last ? in_part_bytes(set.words[word].entries[column])
                        : shared_at(tile.words, column * 128 + lane_bytes);
    }
};

// Offsets of the parts' sets by their counts, in bytes: parts 0 and 1 of the first word, then those of the second.
struct InParts {
    unsigned bytes[4];
};

// Splits a set of `occupied` sites; split(view, k, field) returns the low part's share.
template <class Split>
__device__ inline InParts split_set(TreeTile& tile, SetSplits const& set, unsigned lane, unsigned part_bytes,
                                    unsigned occupied, unsigned const (&fields)[3], Split&& split) {
    unsigned const low = split(PairSplit(tile, set), occupied, fields[0]);
    unsigned const in_word[2] = {low, occupied - low};
    InParts in{};
#pragma unroll
    for (unsigned i = 0; i < 2; ++i) {
        in.bytes[2 * i] = split(WordSplit(tile, set, i, lane), in_word[i], fields[1 + i]);
        in.bytes[2 * i + 1] = in_word[i] * part_bytes - in.bytes[2 * i];
    }
    return in;
}

// The paths below are hardly ever taken. They are no part of the loop's code, and the engine passes as a value (see
// LowDrawn).

template <class Engine>
struct SetSplit {
    Engine engine;
    InParts in;
};

// Splits a set with a field that does not decide.
template <class Engine>
LOCKSTEP_NOINLINE __device__ SetSplit<Engine> split_set_exactly(TreeTile& tile, TreeParameters const& p, bool last,
                                                                Engine engine, unsigned occupied, unsigned field0,
                                                                unsigned field1, unsigned field2) {
    unsigned const fields[3] = {field0, field1, field2};
    InParts const in =
        split_set(tile, splits_of(p, last), threadIdx.x % 32, p.part_bytes, occupied, fields,
                  [&](auto&& view, unsigned k, unsigned field) { return draw_split(view, engine, k, field); });
    return {engine, in};
}

struct FourParts {
    PartSets parts[4];
};

template <class Engine>
struct DigitsDrawn {
    Engine engine;
    unsigned masks[4];
};

// Repeats a draw of four masks for as long as it is rejected. `fraction`: what remained of the first number.
template <class Engine>
LOCKSTEP_NOINLINE __device__ DigitsDrawn<Engine> redraw_digits(Engine engine, unsigned long long fraction,
                                                               FourParts four, unsigned step,
                                                               DigitsDrawn<Engine> drawn) {
    using Long = unsigned long long;
    constexpr unsigned bits = bits_of_words<Engine>();
    PartSets const(&parts)[4] = four.parts;
    Long const numbers = static_cast<Long>(parts[0].sets) * parts[1].sets * parts[2].sets * parts[3].sets;
    Long const rejected = fraction < numbers ? remainder_of_numbers<2 * bits>(numbers) : 0;
    while (fraction < rejected) {
        unsigned const high = engine();
        unsigned const low = engine();
        fraction = take_digits<bits>(high, low, parts, step, drawn.masks);
    }
    drawn.engine = engine;
    return drawn;
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
