#include "common/random_grids/unrank_tables.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace lockstep::random_grids {

namespace {

__extension__ using Wide = unsigned __int128;

// One column: `units` units of the first outcome; the rest belong to the second.
struct Column {
    unsigned first = 0;
    unsigned second = 0;
    Wide units = 0;
};

// Walker's construction in integers: pairs the smallest remaining weight with the largest.
std::vector<Column> alias_columns(std::vector<Wide> weights, unsigned first_outcome, Wide capacity, unsigned count) {
    std::vector<Column> columns;
    for (unsigned i = 0; i < count; ++i) {
        std::size_t smallest = weights.size();
        std::size_t largest = 0;
        for (std::size_t j = 0; j < weights.size(); ++j) {
            if (weights[j] > weights[largest])
                largest = j;
            if (weights[j] != 0 && (smallest == weights.size() || weights[j] < weights[smallest]))
                smallest = j;
        }
        bool const alone = weights[smallest] >= capacity;
        if (alone)
            smallest = largest;
        Wide const units = alone ? 0 : weights[smallest];
        if (weights[largest] < capacity - units)
            throw std::logic_error("these outcomes do not fit into columns of two");
        columns.push_back(
            {first_outcome + static_cast<unsigned>(smallest), first_outcome + static_cast<unsigned>(largest), units});
        weights[largest] -= capacity - units;
        if (!alone)
            weights[smallest] = 0;
    }
    return columns;
}

// Appends the column to the table.
void put_column(SplitTable& table, unsigned number, Column column, Wide capacity) {
    SplitForm const& form = table.form;
    unsigned const tail_bits = form.word_bits * form.tail_words;
    Wide const all = Wide{1} << (form.fraction_bits() + tail_bits);
    Wide const scale = all / capacity;
    Wide const gap = all - scale * capacity;
    Wide const tail_mask = (Wide{1} << tail_bits) - 1;
    auto const one_field = [&] { return (scale * column.units & tail_mask) + gap <= tail_mask; };
    if (!one_field()) {
        std::swap(column.first, column.second);
        column.units = capacity - column.units;
        if (column.units == capacity || !one_field())
            throw std::logic_error("more tail words are needed for this split");
    }
    Wide const begin = scale * column.units;
    unsigned const field = number << form.fraction_bits() | static_cast<unsigned>(begin >> tail_bits);
    table.entries.push_back(field << (32 - form.field_bits()) | column.second << 8 | column.first);
    for (Wide const bound : {begin & tail_mask, (begin & tail_mask) + gap}) {
        for (unsigned word = form.tail_words; word-- > 0;) {
            table.tails.push_back(
                static_cast<unsigned>(bound >> (word * form.word_bits) & ((Wide{1} << form.word_bits) - 1)));
        }
    }
}

}  // namespace

std::uint64_t binomial_number(unsigned n, unsigned k) {
    if (k > n)
        return 0;
    Wide value = 1;
    for (unsigned i = 0; i < k; ++i)
        value = value * (n - i) / (i + 1);
    return static_cast<std::uint64_t>(value);
}

std::vector<std::uint16_t> make_masks(unsigned half) {
    std::vector<std::uint64_t> next(half + 2, 0);
    for (unsigned count = 0; count <= half; ++count)
        next[count + 1] = next[count] + binomial_number(half, count);
    std::vector<std::uint16_t> masks(std::size_t{1} << half);
    for (std::uint32_t mask = 0; mask < 1u << half; ++mask)
        masks[next[static_cast<unsigned>(std::popcount(mask))]++] = static_cast<std::uint16_t>(mask);
    return masks;
}

std::vector<MaskBlock> make_mask_blocks(unsigned half) {
    std::vector<std::uint16_t> const masks = make_masks(half);
    std::vector<MaskBlock> blocks(masks.size() / 8);
    for (std::size_t i = 0; i < masks.size(); ++i)
        blocks[i / 8].masks[i % 8] = masks[i];
    return blocks;
}

std::vector<PartSets> make_part_sets(unsigned sites, unsigned half) {
    std::vector<PartSets> parts;
    std::uint64_t first = 0;
    for (unsigned count = 0; count <= half; ++count) {
        parts.push_back({static_cast<unsigned>(binomial_number(sites, count)), static_cast<unsigned>(first)});
        first += binomial_number(half, count);
    }
    return parts;
}

SplitTable make_split_table(unsigned low, unsigned high, SplitForm const& form) {
    SplitTable table{form, {}, {}};
    unsigned const columns = 1u << form.column_bits;
    for (unsigned k = 0; k <= low + high; ++k) {
        unsigned const first = k > high ? k - high : 0;
        std::vector<Wide> weights;
        for (unsigned j = first; j <= std::min(low, k); ++j)
            weights.push_back(Wide{binomial_number(low, j)} * binomial_number(high, k - j) * columns);
        Wide const capacity = binomial_number(low + high, k);
        unsigned number = 0;
        for (Column const& column : alias_columns(std::move(weights), first, capacity, columns))
            put_column(table, number++, column, capacity);
    }
    return table;
}

}  // namespace lockstep::random_grids
