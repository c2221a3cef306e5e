#pragma once
// Tables for drawing a set of up to 32 sites by its number (reference_cpu/random_grids/unranking.hpp defines the numbering). The set is cut into a low
// part of `half` sites and the rest; sets are numbered by the count in the low part, then by the low part, then by the rest.
//
// For the GPU the division of a set's offset by b, the number of rests, is a multiplication: with u = 1 + offset and
// m = floor((2^(32+s) - 1) / b) the quotient is floor(u m / 2^(32+s)). (Write m b = 2^(32+s) - e, 1 <= e <= b. Then u m / 2^(32+s) =
// u/b - e u / (b 2^(32+s)): below u/b, so never past the true quotient, and less than 1/b below it as long as b u <= 2^(32+s).) Two shifts
// are enough for all b: 0 up to 560, 9 from 1820 on, since C(16,8)^3 < 2^41.

#include <cstdint>
#include <vector>

namespace lockstep::random_grids {

// Masks of one population: the multiplier m for as many rests, and, packed, the first mask, their number << 16, the shift / 3 << 30.
struct alignas(8) UnrankClass {
    unsigned magic = 0;
    unsigned packed = 0;
};

// One number of sites k: how many sets, and which words the multiplication rejects.
struct alignas(8) UnrankRow {
    unsigned sets = 1;
    unsigned rejected = 0;  // 2^word_bits mod sets
};

inline constexpr unsigned unrank_cell_bits = 8;
inline constexpr unsigned unrank_counts = 17;  // a row

struct UnrankTables {
    std::vector<std::uint16_t> masks;  // of `half` bits, by population, then by value: so those of fewer bits come first in each class
    // Classes of the rests: sets of c among the sites above the low ones.
    std::vector<UnrankClass> classes;  // unrank_counts
    // A row for each k: the number of the first set with j sites in the low part, less one, for j = 0 .. 16.
    std::vector<unsigned> before;
    // A row for each k, 2^cell_bits words: for random words with these upper bits the count j (5 bits) and, above bit 8, the least lower bits for which
    // it can be right; for less it is at most j - 1.
    std::vector<unsigned> guide;
    std::vector<UnrankRow> rows;       // one for each k in 0 .. sites
};

std::uint64_t binomial_number(unsigned n, unsigned k);

// half is at most 16, sites at most twice that; C(sites, k) is at most 2^word_bits.
UnrankTables make_unrank_tables(unsigned sites, unsigned half = 16, unsigned word_bits = 32,
                                unsigned cell_bits = unrank_cell_bits);

// Tables for the count in the low `low` of `sites` sites: count j belongs to numbers from t_j = scale * (sets with fewer in the low part)
// on, of two words' range; those from t_last on are rejected. scale = floor((2^(2 word_bits) - 1) / C(sites, k)).
inline constexpr unsigned split_thresholds = 34;  // a row, at most, with the last
inline constexpr unsigned split_cell_bits = 8;

struct SplitRow {
    unsigned first = 0;   // count that the first threshold stands for
    unsigned counts = 1;  // how many: threshold number `counts` is the rejection
};

struct SplitTables {
    std::vector<unsigned> high;       // of the thresholds, split_thresholds a row
    std::vector<unsigned> low;
    std::vector<std::uint8_t> guide;  // 2^cell_bits a row
    std::vector<SplitRow> rows;
};

SplitTables make_split_tables(unsigned sites, unsigned low, unsigned word_bits = 32, unsigned cell_bits = split_cell_bits);

}  // namespace lockstep::random_grids
