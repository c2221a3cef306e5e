// Proofs for the variant `tree`: its tables give every outcome its exact share of numbers, the residual gives what is
// missing, and the kernel's split is the specification's. Also planted errors that the checks must detect.

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <random>
#include <utility>
#include <vector>

#include "harness/stats/goodness_of_fit.hpp"
#include "kernels/random_grids/tree_split.hpp"
#include "reference_cpu/random_grids/tree.hpp"
#include "tests/random_grids/enumeration.hpp"
#include "tests/random_grids/samples.hpp"

namespace lockstep::random_grids::tests {
namespace {

using Natural = boost::multiprecision::cpp_int;
using tree_detail::binomial;

// Independent of the engines under test.
class Words32 {
public:
    explicit Words32(unsigned seed) : engine_(seed) {}
    static constexpr unsigned max() { return 0xFFFFFFFFu; }
    unsigned operator()() { return static_cast<unsigned>(engine_()); }

private:
    std::mt19937 engine_;
};

// A string of words that ends by an exception, so that no loop reads on.
struct StringEnded {};
class EndingScript {
public:
    EndingScript(std::uint64_t string, unsigned depth) : script_(string, depth) {}
    static constexpr unsigned max() { return Script<6>::max(); }
    unsigned operator()() {
        unsigned const word = script_();
        if (script_.exhausted())
            throw StringEnded();
        return word;
    }

private:
    Script<6> script_;
};

Natural sets_of(TreeTable const& table, unsigned k, unsigned j) {
    return j > k ? Natural(0) : Natural(binomial(table.low, j) * binomial(table.high, k - j));
}

// 2^bits times the fraction of 2^F W_j / C that the table's numbers leave out, rounded down.
Natural fraction(TreeTable const& table, unsigned k, unsigned j, unsigned bits) {
    Natural const all = binomial(table.low + table.high, k);
    Natural const rest = (sets_of(table, k, j) << 2 * table.word_bits) % all;
    return (rest << bits) / all;
}

// Numbers of two words that select each outcome of a row; the last one is the residual's.
std::vector<Natural> numbers_of_row(TreeTable const& table, unsigned k) {
    std::vector<Natural> numbers(table.low + 2, 0);
    unsigned const bits = table.word_bits;
    Natural const in_column = Natural(1) << (2 * bits - table.column_bits);
    for (std::size_t number = 0; number < std::size_t{1} << table.column_bits; ++number) {
        std::size_t const column = (std::size_t{k} << table.column_bits) + number;
        std::uint64_t const entry = table.entries.at(column);
        EXPECT_EQ(entry >> 32 >> (bits - table.column_bits), number);
        Natural bounds[2];
        for (unsigned side = 0; side < 2; ++side)
            bounds[side] = ((Natural(entry >> 32) << bits) | table.tails.at(2 * column + side)) - number * in_column;
        EXPECT_TRUE(bounds[0] <= bounds[1] && bounds[1] <= in_column);
        numbers.at(entry & 0xFFFFu) += bounds[0];
        numbers.at(entry >> 16 & 0xFFFFu) += in_column - bounds[1];
        numbers.back() += bounds[1] - bounds[0];
    }
    return numbers;
}

// Every outcome has floor(2^F W_j / C) numbers, and the residual all others.
bool exact(TreeTable const& table, unsigned k) {
    std::vector<Natural> const numbers = numbers_of_row(table, k);
    Natural const all = binomial(table.low + table.high, k);
    Natural left = Natural(1) << 2 * table.word_bits;
    for (unsigned j = 0; j <= table.low; ++j) {
        if (numbers[j] != (sets_of(table, k, j) << 2 * table.word_bits) / all)
            return false;
        left -= numbers[j];
    }
    return numbers.back() == left;
}

TEST(TreeEnumeration, EveryRowOfNarrowTables) {
    for (unsigned low = 1; low <= 12; ++low) {
        for (unsigned high = 1; high <= 12; ++high) {
            for (unsigned const word_bits : {5u, 8u}) {
                TreeTable const table = make_tree_table(low, high, word_bits);
                for (unsigned k = 0; k <= low + high; ++k)
                    EXPECT_TRUE(exact(table, k)) << low << " + " << high << ", " << k << ", " << word_bits << " bits";
            }
        }
    }
}

TEST(TreeEnumeration, TablesOfFullSize) {
    for (auto const& [low, high] : std::vector<std::pair<unsigned, unsigned>>{
             {64, 64}, {64, 1}, {64, 33}, {128, 128}, {128, 97}, {512, 512}, {1024, 65}}) {
        TreeTable const& table = tree_table(low, high);
        unsigned const sites = low + high;
        for (unsigned k = 0; k <= sites; k += sites > 120 && k > 2 ? 61 : 1)
            EXPECT_TRUE(exact(table, k)) << low << " + " << high << ", " << k;
        EXPECT_TRUE(exact(table, sites / 2)) << low << " + " << high;
    }
}

TreeSource source_of(TreeTable const& table, std::vector<unsigned long long> const& entries) {
    return {entries.data(), table.tails.data(), table.column_bits, table.low, table.high};
}

// The kernel's split takes each outcome for exactly these numbers.
TEST(TreeEnumeration, SplitsByTwoWords) {
    constexpr unsigned bits = 6;
    for (auto const& [low, high] : std::vector<std::pair<unsigned, unsigned>>{{4, 4}, {8, 3}, {8, 8}, {5, 1}}) {
        TreeTable const table = make_tree_table(low, high, bits);
        std::vector<unsigned long long> const& entries = table.entries;
        TreeSource const source = source_of(table, entries);
        for (unsigned k = 0; k <= low + high; ++k) {
            std::vector<std::uint64_t> counts(low + 1, 0);
            for (std::uint64_t string = 0; string < 1u << 2 * bits; ++string) {
                Script<bits> script(string >> bits, 1);
                unsigned const word = static_cast<unsigned>(string & Script<bits>::max());
                // A word that decides leaves the second one unread, as if it had any value.
                unsigned const j = cpu::draw_low<2>(source, script, k, word);
                if (!script.exhausted())
                    ++counts.at(j);
            }
            for (unsigned j = 0; j <= low; ++j) {
                Natural const all = binomial(low + high, k);
                EXPECT_EQ(Natural(counts[j]), (sets_of(table, k, j) << 2 * bits) / all) << k << ", " << j;
            }
        }
    }
}

// Outcomes of the residual that are accepted at the first proposal, or after proposals that are no outcome. With
// `depth` words, their number follows from the digits of the fractions.
using Residual = unsigned (*)(EndingScript&, TreeTable const&, unsigned k);

bool residual_is_exact(Residual residual, TreeTable const& table, unsigned k) {
    constexpr unsigned bits = 6;
    unsigned const first = k > table.high ? k - table.high : 0;
    unsigned const outcomes = std::min(table.low, k) - first + 1;
    std::uint64_t const proposing = 1u << (bits - static_cast<unsigned>(std::bit_width(outcomes - 1)));
    std::uint64_t const proposing_none = (1u << bits) - proposing * outcomes;
    std::vector<std::uint64_t> counts(table.low + 1, 0);
    for (std::uint64_t string = 0; string < 1u << 3 * bits; ++string) {
        EndingScript script(string, 3);
        try {
            ++counts.at(residual(script, table, k));
        } catch (StringEnded const&) {
        }
    }
    for (unsigned j = first; j < first + outcomes; ++j) {
        Natural const one_word = fraction(table, k, j, bits);
        Natural const two_words = fraction(table, k, j, 2 * bits);
        if (counts[j] != proposing * two_words + proposing_none * proposing * one_word)
            return false;
    }
    return true;
}

unsigned kernels_residual(EndingScript& script, TreeTable const& table, unsigned k) {
    return cpu::draw_residual<2>(script, table.low, table.high, k);
}

TEST(TreeEnumeration, Residuals) {
    struct Row {
        unsigned low;
        unsigned high;
        unsigned k;
    };
    for (Row const row : {Row{4, 4, 4}, {4, 4, 3}, {8, 3, 5}, {8, 3, 10}, {16, 16, 13}, {8, 1, 6}}) {
        EXPECT_TRUE(residual_is_exact(kernels_residual, make_tree_table(row.low, row.high, 6), row.k))
            << row.low << " + " << row.high << ", " << row.k;
    }
}

// Narrow words reach the residual often.
TEST(TreeEnumeration, TheKernelsSplitIsTheReference) {
    constexpr unsigned bits = 6;
    unsigned residuals = 0;
    for (auto const& [low, high] : std::vector<std::pair<unsigned, unsigned>>{{4, 4}, {16, 16}, {16, 5}, {32, 1}}) {
        TreeTable const table = make_tree_table(low, high, bits);
        std::vector<unsigned long long> const& entries = table.entries;
        for (unsigned k = 0; k <= low + high; ++k) {
            for (std::uint64_t number = 1; number <= 3000; ++number) {
                Script<bits> one(number * 0x9E3779B97F4A7C15u, 10);
                Script<bits> other = one;
                unsigned read = 0;
                unsigned const expected = tree_detail::draw_low(table, k, other(), [&] {
                    ++read;
                    return other();
                });
                residuals += read > 1 ? 1 : 0;
                unsigned const word = one();
                EXPECT_EQ((cpu::draw_low<3>(source_of(table, entries), one, k, word)), expected) << k;
                EXPECT_EQ(one(), other());
            }
        }
    }
    EXPECT_GT(residuals, 20u);
}

// A node of 2048 sites, whose sets are counted by numbers of 2000 bits.
TEST(TreeEnumeration, ResidualsOfLargeNodesAreTheReference) {
    TreeTable table;
    table.low = 1024;
    table.high = 1024;
    Words32 one(1);
    Words32 other(1);
    for (unsigned const k : {3u, 700u, 1024u}) {
        unsigned const expected = tree_detail::draw_residual(table, k, [&] { return other(); });
        EXPECT_EQ((cpu::draw_residual<65>(one, 1024, 1024, k)), expected) << k;
    }
}

// Boards of parts of two sites: groups of 16, several levels, and an end that is no full node. Chi-square over all
// sets.
double p_of_small_tree(unsigned sites, unsigned k, unsigned boards, Tree::FindTable const& find_table) {
    SplitForm const form{32, 2, 3};
    Tree const tree(sites, 2, form, form, find_table);
    SubsetCounts counts(sites, k);
    Words32 engine(5);
    for (unsigned i = 0; i < boards; ++i) {
        std::uint64_t set = 0;
        std::vector<std::uint32_t> const words = tree.draw(k, engine);
        for (std::size_t word = words.size(); word-- > 0;)
            set = set << 4 | words[word];
        EXPECT_TRUE(counts.add(set));
    }
    return stats::chi_square_uniform(counts.counts()).p;
}

TEST(TreeEnumeration, SmallTreesAreUniform) {
    for (auto const& [sites, k] :
         std::vector<std::pair<unsigned, unsigned>>{{9, 4}, {16, 3}, {20, 3}, {21, 18}, {27, 2}, {40, 2}, {61, 2}}) {
        EXPECT_GT(p_of_small_tree(sites, k, 40000, tree_table), 1e-3) << sites << " sites, " << k << " occupied";
    }
}

// Negative controls.

TEST(TreeEnumerationCatches, ATableWithoutResidual) {
    TreeTable table = make_tree_table(8, 8, 6);
    for (std::size_t i = 0; i < table.tails.size(); i += 2)
        table.tails[i + 1] = table.tails[i];
    EXPECT_FALSE(exact(table, 8));
}

// One of 2^64 numbers has the wrong outcome.
TEST(TreeEnumerationCatches, ABoundThatIsRounded) {
    TreeTable table = make_tree_table(128, 128);
    std::size_t column = std::size_t{128} << table.column_bits;
    while (table.tails[2 * column] == 0)
        ++column;
    ++table.tails[2 * column];
    ++table.tails[2 * column + 1];
    EXPECT_FALSE(exact(table, 128));
}

// Proposals that are always accepted.
TEST(TreeEnumerationCatches, AResidualWithoutAcceptance) {
    Residual const uniform_outcome = [](EndingScript& script, TreeTable const& table, unsigned k) {
        unsigned const first = k > table.high ? k - table.high : 0;
        unsigned number = 64;
        while (number > std::min(table.low, k) - first)
            number = script() >> 3;
        script();
        return first + number;
    };
    EXPECT_FALSE(residual_is_exact(uniform_outcome, make_tree_table(4, 4, 6), 4));
}

// A node at the end that is split like a full one.
TEST(TreeEnumerationCatches, AnEndWithTheTableOfAFullNode) {
    auto const table_of_full = [](unsigned low, unsigned high) -> TreeTable const& {
        return tree_table(low, high == 3 ? 4 : high);
    };
    EXPECT_LT(p_of_small_tree(19, 1, 40000, table_of_full), 1e-6);
}

}  // namespace
}  // namespace lockstep::random_grids::tests
