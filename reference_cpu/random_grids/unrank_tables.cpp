#include "reference_cpu/random_grids/unrank_tables.hpp"

#include <algorithm>
#include <bit>

namespace lockstep::random_grids {

std::uint64_t binomial_number(unsigned n, unsigned k) {
    if (k > n) return 0;
    __extension__ using Wide = unsigned __int128;
    Wide value = 1;
    for (unsigned i = 0; i < k; ++i) value = value * (n - i) / (i + 1);
    return static_cast<std::uint64_t>(value);
}

namespace {

UnrankClass class_of(std::uint64_t first_mask, std::uint64_t rests) {
    unsigned const shift = rests < 1820 ? 0 : 9;
    UnrankClass made;
    if (rests != 0) made.magic = static_cast<unsigned>(((std::uint64_t{1} << (32 + shift)) - 1) / rests);
    made.packed = static_cast<unsigned>(first_mask | rests << 16 | std::uint64_t{shift / 3} << 30);
    return made;
}

// Row k of `before` and `guide`.
void fill_row(UnrankTables& tables, unsigned low, unsigned high, unsigned k, unsigned word_bits, unsigned cell_bits) {
    unsigned* const before = tables.before.data() + std::size_t{k} * unrank_counts;
    unsigned const first = k > high ? k - high : 0;
    unsigned const last = std::min(low, k);
    std::uint64_t sets = 0;
    for (unsigned j = first; j <= last; ++j) {
        before[j] = static_cast<unsigned>(sets) - 1u;
        sets += binomial_number(low, j) * binomial_number(high, k - j);
    }
    tables.rows.push_back(
        {static_cast<unsigned>(sets), static_cast<unsigned>((std::uint64_t{1} << word_bits) % sets)});
    unsigned const rest_bits = word_bits - cell_bits;
    unsigned j = first;
    for (std::uint64_t cell = 0; cell < std::uint64_t{1} << cell_bits; ++cell) {
        // The least word whose number is that of j's first set or past it.
        auto const least_word = [&](unsigned count) {
            std::uint64_t const start = before[count] + 1u;
            return ((start << word_bits) + sets - 1) / sets;
        };
        while (j < last && least_word(j + 1) < (cell + 1) << rest_bits) ++j;
        std::uint64_t const least = least_word(j);
        std::uint64_t const within = least > cell << rest_bits ? least - (cell << rest_bits) : 0;
        tables.guide[(std::size_t{k} << cell_bits) + cell] = static_cast<unsigned>(within << 8 | j);
    }
}

}  // namespace

UnrankTables make_unrank_tables(unsigned sites, unsigned half, unsigned word_bits, unsigned cell_bits) {
    UnrankTables tables;
    unsigned const low = std::min(half, sites);
    unsigned const high = sites - low;
    std::vector<std::uint64_t> first(half + 2, 0);  // mask of each population
    for (unsigned count = 0; count <= half; ++count) first[count + 1] = first[count] + binomial_number(half, count);
    tables.masks.resize(std::size_t{1} << half);
    std::vector<std::uint64_t> next = first;
    for (std::uint32_t mask = 0; mask < 1u << half; ++mask) {
        tables.masks[next[static_cast<unsigned>(std::popcount(mask))]++] = static_cast<std::uint16_t>(mask);
    }
    tables.classes.resize(unrank_counts);
    for (unsigned count = 0; count <= half; ++count) tables.classes[count] = class_of(first[count], binomial_number(high, count));
    tables.before.resize(std::size_t{sites + 1} * unrank_counts);
    tables.guide.resize(std::size_t{sites + 1} << cell_bits);
    for (unsigned k = 0; k <= sites; ++k) fill_row(tables, low, high, k, word_bits, cell_bits);
    return tables;
}

SplitTables make_split_tables(unsigned sites, unsigned low, unsigned word_bits, unsigned cell_bits) {
    SplitTables tables;
    unsigned const high = sites - low;
    std::uint64_t const last = word_bits == 32 ? ~std::uint64_t{0} : (std::uint64_t{1} << (2 * word_bits)) - 1;
    std::uint64_t const word_mask = (std::uint64_t{1} << word_bits) - 1;
    std::size_t const cells = std::size_t{1} << cell_bits;
    tables.high.resize(std::size_t{sites + 1} * split_thresholds);
    tables.low.resize(tables.high.size());
    tables.guide.resize((sites + 1) * cells);
    for (unsigned k = 0; k <= sites; ++k) {
        std::uint64_t const scale = last / binomial_number(sites, k);
        SplitRow row{k > high ? k - high : 0, 0};
        std::size_t const begin = std::size_t{k} * split_thresholds;
        std::uint64_t sets = 0;
        unsigned const end = std::min(low, k) + 1;
        for (unsigned j = row.first; j <= end; ++j, ++row.counts) {
            tables.high[begin + row.counts] = static_cast<unsigned>(scale * sets >> word_bits);
            tables.low[begin + row.counts] = static_cast<unsigned>(scale * sets & word_mask);
            if (j < end) sets += binomial_number(low, j) * binomial_number(high, k - j);
        }
        --row.counts;  // the last one is the rejection
        unsigned at = 0;
        for (std::size_t cell = 0; cell < cells; ++cell) {
            std::uint64_t const last_word = ((cell + 1) << (word_bits - cell_bits)) - 1;
            while (at < row.counts && tables.high[begin + at + 1] <= last_word) ++at;
            tables.guide[k * cells + cell] = static_cast<std::uint8_t>(at);
        }
        tables.rows.push_back(row);
    }
    return tables;
}

}  // namespace lockstep::random_grids
