#include "common/random_grids/tree_tables.hpp"

#include <algorithm>
#include <bit>
#include <boost/multiprecision/cpp_int.hpp>
#include <stdexcept>
#include <utility>

#include "harness/bench/parallel_chunks.hpp"

namespace lockstep::random_grids {

namespace {

__extension__ using Wide = unsigned __int128;
using Natural = boost::multiprecision::cpp_int;

Natural whole_binomial(unsigned n, unsigned k) {
    Natural value = 1;
    for (unsigned i = 1; i <= k; ++i)
        value = value * (n - k + i) / i;
    return value;
}

// value * numerator / denominator, both below 2^40, rounded down.
Wide scaled(Wide value, std::uint64_t numerator, std::uint64_t denominator) {
    Wide const low = (value & ~std::uint64_t{0}) * numerator;
    Wide const high = (value >> 64) * numerator + (low >> 64);
    Wide const rest = high % denominator << 64 | (low & ~std::uint64_t{0});
    return (high / denominator << 64) + rest / denominator;
}

// a * b / 2^128, rounded down.
Wide high_product(Wide a, Wide b) {
    auto const low_half = [](Wide value) { return Wide{static_cast<std::uint64_t>(value)}; };
    Wide const first = low_half(a) * (b >> 64);
    Wide const second = (a >> 64) * low_half(b);
    Wide const carry = (low_half(a) * low_half(b) >> 64) + low_half(first) + low_half(second);
    return (a >> 64) * (b >> 64) + (first >> 64) + (second >> 64) + (carry >> 64);
}

constexpr unsigned reciprocal_bits = 238;

// 2^238 / sum, rounded down. Precondition: 2^112 <= sum < 2^126.
Wide reciprocal(Wide sum) {
    constexpr unsigned known_bits = 111;  // 2^111 is below the sum, so the quotient's first bits are zeros
    Wide rest = Wide{1} << known_bits;
    Wide quotient = 0;
    for (unsigned bit = known_bits; bit < reciprocal_bits; ++bit) {
        rest <<= 1;
        quotient = quotient << 1 | (rest >= sum ? 1 : 0);
        rest -= rest >= sum ? sum : 0;
    }
    return quotient;
}

// Weights relative to that of the mode, 2^112, for all outcomes that do not vanish: the nearer to the mode, the larger.
// Each step rounds down by less than one.
TreeShares relative_weights(unsigned low, unsigned high, unsigned k) {
    unsigned const first = k > high ? k - high : 0;
    unsigned const last = std::min(low, k);
    auto const mode = static_cast<unsigned>(std::uint64_t{k + 1} * (low + 1) / (low + high + 2));
    unsigned const middle = std::clamp(mode, first, last);
    auto const up = [&](unsigned j) { return std::uint64_t{low - j} * (k - j); };  // W_j+1 / W_j = up(j) / down(j + 1)
    auto const down = [&](unsigned j) { return std::uint64_t{j} * (high - k + j); };
    std::vector<Wide> below;
    Wide weight = Wide{1} << 112;
    for (unsigned j = middle; j > first; --j) {
        weight = scaled(weight, down(j), up(j - 1));
        if (weight == 0)
            break;
        below.push_back(weight);
    }
    TreeShares weights{middle - static_cast<unsigned>(below.size()), {below.rbegin(), below.rend()}};
    weight = Wide{1} << 112;
    for (unsigned j = middle; weight != 0; ++j) {
        weights.shares.push_back(weight);
        if (j == last)
            break;
        weight = scaled(weight, up(j), down(j + 1));
    }
    return weights;
}

// One column: `units` numbers select the first outcome, the next `residual` ones the residual, the rest the second.
struct TreeColumn {
    unsigned first = 0;
    unsigned second = 0;
    Wide units = 0;
    Wide residual = 0;
};

// Vose's order of Walker's construction, in integers: a light outcome shares its column with a heavy one. The weights,
// padded with zeros to one per column, have the sum count * capacity.
std::vector<TreeColumn> share_columns(std::vector<Wide> weights, unsigned first_outcome, Wide capacity) {
    std::vector<unsigned> light;
    std::vector<unsigned> heavy;
    for (unsigned i = 0; i < weights.size(); ++i)
        (weights[i] < capacity ? light : heavy).push_back(i);
    std::vector<TreeColumn> columns;
    while (columns.size() < weights.size()) {
        unsigned const donor = heavy.back();
        if (light.empty()) {
            columns.push_back({first_outcome + donor, first_outcome + donor, 0, 0});
            heavy.pop_back();
            continue;
        }
        unsigned const small = light.back();
        light.pop_back();
        unsigned const first = weights[small] == 0 ? donor : small;
        columns.push_back({first_outcome + first, first_outcome + donor, weights[small], 0});
        weights[donor] -= capacity - weights[small];
        if (weights[donor] < capacity) {
            heavy.pop_back();
            light.push_back(donor);
        }
    }
    return columns;
}

// Writes row k.
void put_row(TreeTable& table, unsigned k, TreeShares const& row) {
    unsigned const bits = table.word_bits;
    std::size_t const count = std::size_t{1} << table.column_bits;
    Wide const capacity = Wide{1} << (2 * bits - table.column_bits);
    std::vector<Wide> weights = row.shares;
    weights.resize(count, 0);
    Wide residual = capacity * count;
    for (Wide const share : row.shares)
        residual -= share;
    auto const heaviest = static_cast<unsigned>(std::max_element(weights.begin(), weights.end()) - weights.begin());
    weights[heaviest] += residual;
    std::vector<TreeColumn> columns = share_columns(std::move(weights), row.first, capacity);
    // The residual takes numbers of the heaviest outcome that have the same first word.
    Wide const word_mask = (Wide{1} << bits) - 1;
    for (TreeColumn& column : columns) {
        bool const fits = column.units + residual <= capacity && (column.units & word_mask) + residual <= word_mask;
        if (residual != 0 && fits && column.second == row.first + heaviest) {
            column.residual = residual;
            residual = 0;
        }
    }
    if (residual != 0)
        throw std::logic_error("no column has room for the residual");
    for (std::size_t i = 0; i < count; ++i) {
        TreeColumn const& column = columns[i];
        std::uint64_t const word = i << (bits - table.column_bits) | static_cast<std::uint64_t>(column.units >> bits);
        std::size_t const at = k * count + i;
        table.entries[at] = word << 32 | std::uint64_t{column.second} << 16 | column.first;
        table.tails[2 * at] = static_cast<std::uint32_t>(column.units & word_mask);
        table.tails[2 * at + 1] = static_cast<std::uint32_t>((column.units & word_mask) + column.residual);
    }
}

// Writes the row of low + high - k sites, which has low - j in the place of each outcome j of row k.
void put_mirrored_row(TreeTable& table, unsigned k) {
    std::size_t const count = std::size_t{1} << table.column_bits;
    std::size_t const from = k * count;
    std::size_t const to = (table.low + table.high - k) * count;
    for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t const entry = table.entries[from + i];
        std::uint64_t const outcomes = (std::uint64_t{table.low} << 16 | table.low) - (entry & 0xFFFFFFFFu);
        table.entries[to + i] = (entry & ~std::uint64_t{0xFFFFFFFFu}) | outcomes;
    }
    std::copy_n(&table.tails[2 * from], 2 * count, &table.tails[2 * to]);
}

}  // namespace

TreeShares make_tree_shares(unsigned low, unsigned high, unsigned k, unsigned fraction_bits) {
    constexpr unsigned more_bits = 32;
    TreeShares row = relative_weights(low, high, k);
    Wide sum = 0;
    for (Wide const weight : row.shares)
        sum += weight;
    Wide const inverse = reciprocal(sum);
    for (std::size_t i = 0; i < row.shares.size(); ++i) {
        // 2^(fraction_bits + more_bits) times the share. A weight is at most 2^112, so the reciprocal's rounding lowers
        // this by less than one.
        Wide const quotient =
            high_product(row.shares[i], inverse) >> (reciprocal_bits - 128 - fraction_bits - more_bits);
        row.shares[i] = quotient >> more_bits;
        // The error of the quotient is far below `margin`, so only a fraction near 0 or 1 leaves the floor in doubt.
        constexpr std::uint32_t margin = 4096;
        auto const fraction = static_cast<std::uint32_t>(quotient & 0xFFFFFFFFu);
        if (fraction + margin < margin || (fraction < margin && row.shares[i] != 0)) {
            unsigned const j = row.first + static_cast<unsigned>(i);
            Natural const sets = whole_binomial(low, j) * whole_binomial(high, k - j);
            row.shares[i] = static_cast<Wide>(Natural((sets << fraction_bits) / whole_binomial(low + high, k)));
        }
    }
    while (row.shares.back() == 0)
        row.shares.pop_back();
    auto const vanishing = std::find_if(row.shares.begin(), row.shares.end(), [](Wide share) { return share != 0; });
    row.first += static_cast<unsigned>(vanishing - row.shares.begin());
    row.shares.erase(row.shares.begin(), vanishing);
    return row;
}

TreeTable make_tree_table(unsigned low, unsigned high, unsigned word_bits) {
    TreeTable table{low, high, word_bits, 0, {}, {}};
    unsigned const all = low + high;
    // A node of two equal parts has C(low, j) C(low, k - j) sets for k as well as for 2 low - k, with low - j.
    std::vector<TreeShares> rows(low == high ? low + 1 : all + 1);
    constexpr std::size_t min_rows_per_core = 64;
    bench::parallel_for(rows.size(), min_rows_per_core, [&](std::size_t row) {
        rows[row] = make_tree_shares(low, high, static_cast<unsigned>(row), 2 * word_bits);
    });
    std::size_t most = 1;
    for (TreeShares const& row : rows)
        most = std::max(most, row.shares.size());
    table.column_bits = static_cast<unsigned>(std::bit_width(most - 1));
    table.entries.resize(std::size_t{all + 1} << table.column_bits);
    table.tails.resize(std::size_t{all + 1} << (table.column_bits + 1));
    bench::parallel_for(rows.size(), min_rows_per_core, [&](std::size_t row) {
        auto const k = static_cast<unsigned>(row);
        put_row(table, k, rows[k]);
        if (all - k >= rows.size())
            put_mirrored_row(table, k);
    });
    return table;
}

}  // namespace lockstep::random_grids
