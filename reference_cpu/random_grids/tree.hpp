#pragma once
// Executable specification of `tree`: the number of occupied sites is split from the board down to sets of 64 sites,
// which are then drawn by their number.
//
//   count:  a node with k of its sites occupied gives its low part j of them with probability W_j / C, the share of the
//           sets that have j sites there (tree_tables.hpp), and so on down to the sets of 64.
//   number: every set of 64 sites is drawn with its count, as in unranking.hpp.
// A k-set of the board has the counts of its parts with a probability in proportion to the number of sets with these
// counts, and is one of them, all equally likely: so is every k-set.
//
// Group by group, the order of draws is: one word for each split of a node above level 0 that begins here, from the top
// down, and further words where it does not decide; four words, of which the first is for the split of the group, the
// others for the splits of its two sets; further words where those do not decide; four words for the numbers of the two
// sets, and further words for rejected numbers. A node without sites in its high part is not split. Four words are a
// whole block of Philox (four_words.hpp).

#include <bit>
#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "common/random_grids/four_words.hpp"
#include "common/random_grids/tree_shape.hpp"
#include "common/random_grids/tree_tables.hpp"
#include "reference_cpu/random_grids/unranking.hpp"

namespace lockstep::random_grids {

namespace tree_detail {

using Natural = boost::multiprecision::cpp_int;

inline Natural binomial(unsigned n, unsigned k) {
    Natural value = 1;
    for (unsigned i = 1; i <= k; ++i)
        value = value * (n - k + i) / i;
    return value;
}

// An outcome of the residual: proposes each outcome with the same probability and accepts it with the probability
// fraction_j, whose digits to the base 2^word_bits are compared with random words.
template <class NextWord>
unsigned draw_residual(TreeTable const& table, unsigned k, NextWord&& next_word) {
    unsigned const first = k > table.high ? k - table.high : 0;
    unsigned const outcomes = std::min(table.low, k) - first + 1;
    auto const bits = static_cast<unsigned>(std::bit_width(outcomes - 1));
    Natural const all = binomial(table.low + table.high, k);
    for (;;) {
        unsigned number = outcomes;
        while (number >= outcomes)
            number = bits == 0 ? 0 : next_word() >> (table.word_bits - bits);
        unsigned const j = first + number;
        Natural rest = (binomial(table.low, j) * binomial(table.high, k - j) << 2 * table.word_bits) % all;
        for (;;) {
            rest <<= table.word_bits;
            auto const digit = static_cast<unsigned>(Natural(rest / all));
            rest %= all;
            unsigned const word = next_word();
            if (word < digit)
                return j;
            if (word > digit)
                break;
        }
    }
}

// Number of the k sites in the low part of a node. Only a word that does not decide needs further ones.
template <class NextWord>
unsigned draw_low(TreeTable const& table, unsigned k, unsigned word, NextWord&& next_word) {
    std::size_t const row = std::size_t{k} << table.column_bits;
    std::size_t const column = row + (word >> (table.word_bits - table.column_bits) & ((1u << table.column_bits) - 1));
    std::uint64_t const entry = table.entries[column];
    auto const undecided = static_cast<unsigned>(entry >> 32);
    auto const smaller = static_cast<unsigned>(entry & 0xFFFFu);
    auto const larger = static_cast<unsigned>(entry >> 16 & 0xFFFFu);
    if (word != undecided)
        return word < undecided ? smaller : larger;
    unsigned const tail = next_word();
    if (tail < table.tails[2 * column])
        return smaller;
    return tail >= table.tails[2 * column + 1] ? larger : draw_residual(table, k, next_word);
}

}  // namespace tree_detail

class Tree {
public:
    using FindTable = std::function<TreeTable const&(unsigned low, unsigned high)>;

    // `half`: sites per part; a set has four of them. find_table(low, high) returns the table of a node.
    Tree(unsigned sites, unsigned half, SplitForm const& word_form, SplitForm const& pair_form, FindTable find_table)
        : shape_{sites, 4 * half}, half_(half), find_table_(std::move(find_table)) {
        sets_.emplace(4 * half, Unranking(4 * half, half, word_form, pair_form, 2));
        unsigned const end = sites % (4 * half);
        if (end != 0)
            sets_.emplace(end, Unranking(end, half, word_form, pair_form, 2));
    }

    // Draws one board with k occupied sites. Returns its sites, packed into words of 2 x half.
    template <class Engine>
    std::vector<std::uint32_t> draw(unsigned k, Engine& engine) const {
        auto const next_word = [&] { return static_cast<unsigned>(engine()); };
        // counts[t]: occupied sites of the node of level t that begins next.
        std::vector<unsigned> counts(shape_.top() + 1, k);
        std::vector<std::uint32_t> words;
        for (unsigned group = 0; group < shape_.groups(); ++group) {
            unsigned const level = group == 0 ? shape_.top() : static_cast<unsigned>(std::countr_zero(group));
            unsigned here = counts[level];
            for (unsigned at = level; at > 0; --at) {
                unsigned const sites = shape_.node_sites(at, group);
                unsigned low = here;
                if (sites > shape_.low_sites(at))
                    low = tree_detail::draw_low(table(at, sites), here, next_word(), next_word);
                counts[at - 1] = here - low;
                here = low;
            }
            draw_group(shape_.node_sites(0, group), here, engine, words);
        }
        return words;
    }

private:
    TreeTable const& table(unsigned level, unsigned sites) const {
        return find_table_(shape_.low_sites(level), sites - shape_.low_sites(level));
    }

    template <class Engine>
    void draw_group(unsigned sites, unsigned k, Engine& engine, std::vector<std::uint32_t>& words) const {
        auto const next_word = [&] { return static_cast<unsigned>(engine()); };
        unsigned const set_sites = 4 * half_;
        unsigned const bits = word_bits<Engine>();
        random::Words4 const four = cpu::four_words(engine);
        unsigned low = k;
        if (sites > set_sites)
            low = tree_detail::draw_low(table(0, sites), k, four.x, next_word);
        std::vector<unsigned> fields;
        for (unsigned const word : {four.y, four.z, four.w}) {
            fields.push_back(word >> bits / 2);
            fields.push_back(word & ((1u << bits / 2) - 1));
        }
        // A set without sites is drawn like a full one, with no site occupied.
        Unranking const* const sets[2] = {&set(std::min(sites, set_sites)),
                                          &set(sites > set_sites ? sites - set_sites : set_sites)};
        std::vector<unsigned> const counts[2] = {sets[0]->draw_counts(next_word, low, fields.data()),
                                                 sets[1]->draw_counts(next_word, k - low, fields.data() + 3)};
        random::Words4 const numbers = cpu::four_words(engine);
        unsigned const first[2][2] = {{numbers.x, numbers.y}, {numbers.z, numbers.w}};
        for (unsigned i = 0; i < 2; ++i) {
            unsigned used = 0;
            auto const next = [&] { return used < 2 ? first[i][used++] : next_word(); };
            auto const masks = sets[i]->draw_masks(next, counts[i], 0);
            for (unsigned part = 0; part < 4 && words.size() * 2 * half_ < shape_.sites; part += 2)
                words.push_back(static_cast<std::uint32_t>(masks[part] | masks[part + 1] << half_));
        }
    }

    template <class Engine>
    static unsigned word_bits() {
        return static_cast<unsigned>(std::bit_width(std::uint64_t{Engine::max()}));
    }

    Unranking const& set(unsigned sites) const { return sets_.at(sites); }

    TreeShape shape_;
    unsigned half_;
    FindTable find_table_;
    std::map<unsigned, Unranking> sets_;  // by the number of sites
};

}  // namespace lockstep::random_grids
