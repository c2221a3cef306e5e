#pragma once
// Tables of the variant `tree`: how many of k sites lie in the low part of a node (reference_cpu/random_grids/tree.hpp
// defines the method).
//
// Of all C = C(low + high, k) sets, W_j = C(low, j) C(high, k - j) have j sites in the low part. For large nodes these
// numbers have thousands of bits, so a table holds only the first F = 2 word_bits bits of the probabilities: outcome j
// gets a_j = floor(2^F W_j / C) of the 2^F numbers that two words make. The R numbers left over, fewer than there are
// outcomes, are the residual. It selects outcome j with a probability in proportion to the fractions 2^F W_j / C - a_j,
// by exact arithmetic (tree_residual.hpp). So outcome j has the probability a_j / 2^F + fraction_j / 2^F = W_j / C.
//
// A row, one per k, is an alias table (Walker 1977) over the a_j: 2^column_bits columns of equal size with at most two
// outcomes each, and the residual in the middle of one of them. Outcomes with a_j = 0 need no column, so a row has
// columns for some 9 standard deviations to each side of the mean. If both parts are equal, a row of more than half of
// the sites is the mirror image of another: the outcome low - j has the columns of j.

#include <cstdint>
#include <vector>

namespace lockstep::random_grids {

struct TreeTable {
    unsigned low = 0;   // sites in the low part
    unsigned high = 0;  // sites in the high part
    unsigned word_bits = 32;
    unsigned column_bits = 0;
    // One entry per column, 2^column_bits per row. Bits 32 to 63: the first word that does not decide. Bits 16 to 31:
    // the outcome of larger words; bits 0 to 15: that of smaller ones.
    std::vector<unsigned long long> entries;
    // Two bounds per column for the second word. Words below the first one select the smaller words' outcome, words
    // from the second one on the larger words', and those in between the residual.
    std::vector<std::uint32_t> tails;
};

// Shares of one row: outcome first + i gets shares[i] of 2^fraction_bits numbers.
struct TreeShares {
    unsigned first = 0;
    __extension__ std::vector<unsigned __int128> shares;
};
TreeShares make_tree_shares(unsigned low, unsigned high, unsigned k, unsigned fraction_bits);

TreeTable make_tree_table(unsigned low, unsigned high, unsigned word_bits = 32);

// Returns the table from a cache. Nodes of one size occur in many boards.
TreeTable const& tree_table(unsigned low, unsigned high);

}  // namespace lockstep::random_grids
