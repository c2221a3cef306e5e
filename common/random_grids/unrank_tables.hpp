#pragma once
// Tables for drawing a set of up to 64 sites by its number (reference_cpu/random_grids/unranking.hpp defines the
// method). The set consists of up to four parts of at most `half` = 16 sites. A split determines how many sites of a
// set are in its low part; a part is one of the masks with that population.
//
// Split tables are alias tables (Walker, "An efficient method for generating discrete random variables with general
// distributions", ACM TOMS 3(3), 1977), made exact. Of all C = C(low + high, k) sets of k sites, W_j = C(low, j)
// C(high, k - j) have j sites in the low part. A row has 2^column_bits columns of equal weight, C units each, and
// outcome j must get 2^column_bits W_j units. A column holds at most two outcomes: tau units of the first, the rest of
// the second. A number u below 2^B decides within the column; B counts the remaining bits of the field and those of the
// tail words. With s = floor(2^B / C), u < s tau selects the first outcome, u >= s tau + (2^B - s C) selects the
// second, and values in between are rejected. So both outcomes get exactly s numbers per unit. The gap lies within one
// value of the field, so every other value decides without tail words; tail words are drawn only once in thousands of
// splits.

#include <cstdint>
#include <vector>

namespace lockstep::random_grids {

// Range of the masks with one population in a part.
struct alignas(8) PartSets {
    unsigned sets = 1;   // number of masks
    unsigned first = 0;  // index of the first one in the table of masks
};

std::uint64_t binomial_number(unsigned n, unsigned k);

// Returns all masks of `half` bits, sorted by population, then by value. So within each population, masks that fit into
// fewer bits come first.
std::vector<std::uint16_t> make_masks(unsigned half);

// Eight masks: what a thread copies at a time.
struct alignas(16) MaskBlock {
    std::uint16_t masks[8] = {};
};

// The masks of make_masks(half), in blocks.
std::vector<MaskBlock> make_mask_blocks(unsigned half = 16);

// Returns one entry for each population 0 .. half of a part of `sites` sites; populations above `sites` have no sets.
std::vector<PartSets> make_part_sets(unsigned sites, unsigned half);

// Format of a field: half of a random word, whose upper bits are the column.
struct SplitForm {
    unsigned word_bits = 32;
    unsigned column_bits = 4;
    unsigned tail_words = 3;

    unsigned field_bits() const { return word_bits / 2; }
    unsigned fraction_bits() const { return field_bits() - column_bits; }
};

struct SplitTable {
    SplitForm form;
    // One entry per column, 2^column_bits per row. The upper bits hold the field that does not decide, placed as in a
    // word of 32 bits. Bits 8 to 15 hold the outcome of larger fields, bits 0 to 7 that of smaller ones.
    std::vector<unsigned> entries;
    // 2 tail_words words per column, upper words first, which are two bounds. Tails below the first bound select the
    // smaller fields' outcome, tails from the second bound on select the larger fields', and those in between are
    // rejected.
    std::vector<unsigned> tails;
};

// Returns one row for each k in 0 .. low + high. Throws std::logic_error if the form cannot hold the table.
SplitTable make_split_table(unsigned low, unsigned high, SplitForm const& form);

inline constexpr unsigned split_tail_words = 3;
inline constexpr unsigned word_column_bits = 4;  // a word of up to 32 sites into parts of 16
inline constexpr unsigned pair_column_bits = 5;  // up to 64 sites into words

}  // namespace lockstep::random_grids
