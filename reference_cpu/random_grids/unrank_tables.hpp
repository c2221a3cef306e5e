#pragma once
// Tables for drawing a set of up to 32 sites by its number (reference_cpu/random_grids/unranking.hpp defines the
// numbering). The set is cut into a low part of `half` sites and the rest; sets are numbered by the count in the low
// part, then by the low part, then by the rest.
//
// For the GPU the two divisions are a multiplication: with b sets of the rest, u = 1 + offset, s = floor(log2 b) and
// m = floor((2^(32+s) - 1) / b), the quotient is floor(u m / 2^(32+s)) for all u <= 2^31. (Write m b = 2^(32+s) - e, 1
// <= e <= b. Then u m / 2^(32+s) = u/b - e u / (b 2^(32+s)): below u/b, so never past the true quotient, and less below
// it than 1/b.)

#include <cstdint>
#include <vector>

namespace lockstep::random_grids {

// One count in the low part.
struct alignas(16) UnrankEntry {
    unsigned before = 0;   // number of its first set, less one
    unsigned magic = 0;    // m
    unsigned divisor = 0;  // b, and s << 16
    unsigned masks = 0;    // first mask of the low part, and that of the rest << 16
};

// One number of sites k: how many sets, and which words the multiplication rejects.
struct alignas(8) UnrankRow {
    unsigned sets = 1;
    unsigned rejected = 0;  // 2^word_bits mod sets
};

inline constexpr unsigned unrank_cell_bits = 9;
inline constexpr unsigned unrank_entries = 17;  // a row, at most

struct UnrankTables {
    std::vector<std::uint16_t>
        masks;  // of `half` bits, by population, then by value: so those of fewer bits come first in each class
    std::vector<UnrankEntry> entries;  // unrank_entries a row
    std::vector<std::uint8_t>
        guide;                    // 2^cell_bits a row: the last entry that a word with these upper bits can belong to
    std::vector<UnrankRow> rows;  // one for each k in 0 .. sites
};

std::uint64_t binomial_number(unsigned n, unsigned k);

// half is at most 16, sites at most twice that; C(sites, k) is at most 2^word_bits.
UnrankTables make_unrank_tables(unsigned sites, unsigned half = 16, unsigned word_bits = 32,
                                unsigned cell_bits = unrank_cell_bits);

// Tables for the count in the low `low` of `sites` sites: count j belongs to numbers from t_j = scale * (sets with
// fewer in the low part) on, of two words' range; those from t_last on are rejected. scale = floor((2^(2 word_bits) -
// 1) / C(sites, k)).
inline constexpr unsigned split_thresholds = 34;  // a row, at most, with the last
inline constexpr unsigned split_cell_bits = 8;

struct SplitRow {
    unsigned first = 0;   // count that the first threshold stands for
    unsigned counts = 1;  // how many: threshold number `counts` is the rejection
};

struct SplitTables {
    std::vector<unsigned> high;  // of the thresholds, split_thresholds a row
    std::vector<unsigned> low;
    std::vector<std::uint8_t> guide;  // 2^cell_bits a row
    std::vector<SplitRow> rows;
};

SplitTables make_split_tables(unsigned sites, unsigned low, unsigned word_bits = 32,
                              unsigned cell_bits = split_cell_bits);

}  // namespace lockstep::random_grids
