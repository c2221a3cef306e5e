#pragma once
// Tables for drawing a set of up to 64 sites by its number (reference_cpu/random_grids/unranking.hpp defines how). The
// set lies in up to four parts of at most `half` = 16 sites; a split says how many sites of a set go into its low part,
// and a part is one of the masks of its population.
//
// Split tables are alias tables (Walker, "An efficient method for generating discrete random variables with general
// distributions", ACM TOMS 3(3), 1977), made exact. Of k sites, j fall into the low part in W_j = C(low, j) C(high, k -
// j) of all C = C(low + high, k) sets. A row has 2^column_bits columns of equal weight, C units each, and outcome j is
// to get 2^column_bits W_j units; a column holds two outcomes at most, tau units of the first and the rest of the
// second. A number u below 2^B decides within the column, B = the field's other bits and those of the tail words: with
// s = floor(2^B / C), u < s tau is the first outcome, u >= s tau + (2^B - s C) the second one, and what lies between is
// rejected. So both get a multiple of s numbers, exactly. The gap lies within one value of the field, so every other
// field decides alone, and tail words are drawn once in thousands of splits.

#include <cstdint>
#include <vector>

namespace lockstep::random_grids {

// The masks of one population in a part.
struct alignas(8) PartSets {
    unsigned sets = 1;   // how many
    unsigned first = 0;  // the first of them in the table of masks
};

std::uint64_t binomial_number(unsigned n, unsigned k);

// All masks of `half` bits, by population, then by value: those of fewer bits come first in each class.
std::vector<std::uint16_t> make_masks(unsigned half);

// One for each population 0 .. half of a part of `sites`; none where it is larger.
std::vector<PartSets> make_part_sets(unsigned sites, unsigned half);

// What a field is: half of a random word, its upper bits the column.
struct SplitForm {
    unsigned word_bits = 32;
    unsigned column_bits = 4;
    unsigned tail_words = 3;

    unsigned field_bits() const { return word_bits / 2; }
    unsigned fraction_bits() const { return field_bits() - column_bits; }
};

struct SplitTable {
    SplitForm form;
    // One a column, 2^column_bits a row: the field that does not decide, uppermost, as in a word of 32 bits; then in a
    // byte each the outcome of larger fields (bits 8 to 15) and of smaller ones (bits 0 to 7).
    std::vector<unsigned> entries;
    // 2 tail_words a column, upper words first: tails below the first belong to the smaller fields' outcome, those from
    // the second on to the larger fields', and those between are rejected.
    std::vector<unsigned> tails;
};

// One row for each k in 0 .. low + high. Throws std::logic_error where the form cannot hold it.
SplitTable make_split_table(unsigned low, unsigned high, SplitForm const& form);

inline constexpr unsigned split_tail_words = 3;
inline constexpr unsigned word_column_bits = 4;  // a word of up to 32 sites into parts of 16
inline constexpr unsigned pair_column_bits = 5;  // up to 64 sites into words

}  // namespace lockstep::random_grids
