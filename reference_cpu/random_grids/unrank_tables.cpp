#include "reference_cpu/random_grids/unrank_tables.hpp"

#include <algorithm>
#include <bit>

namespace lockstep::random_grids {

std::uint64_t binomial_number(unsigned n, unsigned k) {
    if (k > n)
        return 0;
    __extension__ using Wide = unsigned __int128;
    Wide value = 1;
    for (unsigned i = 0; i < k; ++i)
        value = value * (n - i) / (i + 1);
    return static_cast<std::uint64_t>(value);
}

namespace {

UnrankEntry entry_of(std::uint64_t before, std::uint64_t low_first, std::uint64_t high_first, std::uint64_t high_sets) {
    unsigned const shift = static_cast<unsigned>(std::bit_width(high_sets)) - 1;
    UnrankEntry entry;
    entry.before = static_cast<unsigned>(before) - 1u;
    entry.magic = static_cast<unsigned>(((std::uint64_t{1} << (32 + shift)) - 1) / high_sets);
    entry.divisor = static_cast<unsigned>(high_sets) | shift << 16;
    entry.masks = static_cast<unsigned>(low_first | high_first << 16);
    return entry;
}

}  // namespace

UnrankTables make_unrank_tables(unsigned sites, unsigned half, unsigned word_bits, unsigned cell_bits) {
    UnrankTables tables;
    unsigned const low = std::min(half, sites);
    unsigned const high = sites - low;
    std::vector<std::uint64_t> first(half + 2, 0);  // mask of each population
    for (unsigned count = 0; count <= half; ++count)
        first[count + 1] = first[count] + binomial_number(half, count);
    tables.masks.resize(std::size_t{1} << half);
    std::vector<std::uint64_t> next = first;
    for (std::uint32_t mask = 0; mask < 1u << half; ++mask) {
        tables.masks[next[static_cast<unsigned>(std::popcount(mask))]++] = static_cast<std::uint16_t>(mask);
    }

    std::size_t const cells = std::size_t{1} << cell_bits;
    tables.entries.resize(std::size_t{sites + 1} * unrank_entries);
    tables.guide.resize((sites + 1) * cells);
    for (unsigned k = 0; k <= sites; ++k) {
        UnrankEntry* const row = tables.entries.data() + std::size_t{k} * unrank_entries;
        std::vector<std::uint64_t> starts;
        std::uint64_t sets = 0;
        for (unsigned j = k > high ? k - high : 0; j <= std::min(low, k); ++j) {
            row[starts.size()] = entry_of(sets, first[j], first[k - j], binomial_number(high, k - j));
            starts.push_back(sets);
            sets += binomial_number(low, j) * binomial_number(high, k - j);
        }
        tables.rows.push_back(
            {static_cast<unsigned>(sets), static_cast<unsigned>((std::uint64_t{1} << word_bits) % sets)});
        std::size_t entry = 0;
        for (std::size_t cell = 0; cell < cells; ++cell) {
            std::uint64_t const last_word = ((cell + 1) << (word_bits - cell_bits)) - 1;
            std::uint64_t const last_number = last_word * sets >> word_bits;
            while (entry + 1 < starts.size() && starts[entry + 1] <= last_number)
                ++entry;
            tables.guide[k * cells + cell] = static_cast<std::uint8_t>(entry);
        }
    }
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
            if (j < end)
                sets += binomial_number(low, j) * binomial_number(high, k - j);
        }
        --row.counts;  // the last one is the rejection
        unsigned at = 0;
        for (std::size_t cell = 0; cell < cells; ++cell) {
            std::uint64_t const last_word = ((cell + 1) << (word_bits - cell_bits)) - 1;
            while (at < row.counts && tables.high[begin + at + 1] <= last_word)
                ++at;
            tables.guide[k * cells + cell] = static_cast<std::uint8_t>(at);
        }
        tables.rows.push_back(row);
    }
    return tables;
}

}  // namespace lockstep::random_grids
