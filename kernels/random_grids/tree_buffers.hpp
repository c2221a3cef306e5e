#pragma once
// Tables of `tree` in device memory: what its host code uploads for both kinds of boards. For `.cu` files.

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "common/random_grids/grid_case.hpp"
#include "common/random_grids/tree_tables.hpp"
#include "kernels/random_grids/tree_sets.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

// Owns the tables.
struct TreeBuffers {
    Buffer<MaskBlock> masks;
    Buffer<PartSets> parts;
    std::vector<Buffer<unsigned>> words;
    std::vector<Buffer<unsigned long long>> entries;

    SplitSource upload_split(unsigned low, unsigned high, unsigned column_bits) {
        SplitTable const table = make_split_table(low, high, {32, column_bits, split_tail_words});
        words.push_back(upload_table(table.entries));
        unsigned const* const of_entries = words.back().data();
        words.push_back(upload_table(table.tails));
        return {of_entries, words.back().data()};
    }

    TreeSource upload_node(unsigned low, unsigned high) {
        TreeTable const& table = tree_table(low, high);
        if (low == 64 && high == 64 && table.column_bits != tree_group_column_bits)
            throw std::logic_error("the table of a group has another number of columns than its copy");
        entries.push_back(upload_table(table.entries));
        words.push_back(upload_table(table.tails));
        return {entries.back().data(), words.back().data(), table.column_bits, low, high};
    }
};

// Splits of a set of `sites` sites, of up to four parts of `part` sites: into words, and each word into parts.
inline SplitSource upload_set(TreeBuffers& buffers, unsigned sites, unsigned part, SplitSource (&words)[2]) {
    unsigned const low = std::min(sites, 2 * part);
    unsigned const high = sites - low;
    words[0] = buffers.upload_split(std::min(low, part), low - std::min(low, part), word_column_bits);
    words[1] = buffers.upload_split(std::min(high, part), high - std::min(high, part), word_column_bits);
    return buffers.upload_split(low, high, pair_column_bits);
}

// Appends the numbers of masks of each of four parts of a set.
inline void put_part_sets(std::vector<PartSets>& parts, unsigned sites, unsigned part) {
    for (unsigned i = 0; i < 4; ++i) {
        for (PartSets const& sets : make_part_sets(std::min(part, sites - std::min(sites, part * i)), part))
            parts.push_back(sets);
    }
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
