// Proofs of our algorithms for small sizes: sets by number, and a dense pass with repair. Also planted errors that the
// enumeration must detect.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "kernels/random_grids/unrank.hpp"
#include "reference_cpu/random_grids/dense.hpp"
#include "reference_cpu/random_grids/unranking.hpp"
#include "tests/random_grids/enumeration.hpp"

namespace lockstep::random_grids::tests {
namespace {

// The kernels' look-ups, from tables for narrow words.
template <unsigned tails = 1>
struct SplitView {
    static constexpr unsigned column_bits = 2;
    static constexpr unsigned tail_words = tails;
    SplitTable table;

    unsigned entry(unsigned column) const { return table.entries.at(column); }
    unsigned tail(unsigned column, unsigned i) const { return table.tails.at(column * 2 * tail_words + i); }
};

constexpr SplitForm narrow_form(unsigned word_bits, unsigned tails = 1) {
    return {word_bits, SplitView<>::column_bits, tails};
}

// The number of occupied sites in the low part: in a first try, its frequency is exactly proportional to the number of
// sets. Enumerates all fields and all tails.
template <unsigned bits, unsigned tails>
std::vector<std::uint64_t> first_tries(SplitView<tails> const& view, unsigned low, unsigned k) {
    std::vector<std::uint64_t> counts(low + 1, 0);
    for (std::uint64_t string = 0; string < 1u << (bits / 2 + tails * bits); ++string) {
        Script<bits> script(string >> bits / 2, tails);
        unsigned const field = static_cast<unsigned>(string & ((1u << bits / 2) - 1)) << (32 - bits / 2);
        unsigned const count = cpu::draw_split(view, script, k, field);
        if (!script.exhausted())  // otherwise it was rejected and drew another field
            ++counts.at(count);
    }
    return counts;
}

bool in_proportion(std::vector<std::uint64_t> const& counts, unsigned low, unsigned high, unsigned k) {
    std::uint64_t const all = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    for (unsigned j = 0; j <= low; ++j) {
        std::uint64_t const sets = j > k ? 0 : binomial_number(low, j) * binomial_number(high, k - j);
        if (counts[j] * binomial_number(low + high, k) != all * sets)
            return false;
    }
    return all != 0;
}

TEST(OursEnumeration, Splits) {
    for (unsigned low = 1; low <= 4; ++low) {
        for (unsigned high = 0; high <= 4; ++high) {
            SplitView<> view{make_split_table(low, high, narrow_form(8))};
            SplitView<2> longer{make_split_table(low, high, narrow_form(6, 2))};
            for (unsigned k = 0; k <= low + high; ++k) {
                SCOPED_TRACE(std::to_string(k) + " of " + std::to_string(low) + " + " + std::to_string(high));
                EXPECT_TRUE(in_proportion(first_tries<8>(view, low, k), low, high, k));
                EXPECT_TRUE(in_proportion(first_tries<6>(longer, low, k), low, high, k));
            }
        }
    }
}

// With 32-bit words: for every outcome, the number of (field, tail) pairs of a column that give this outcome is the
// same multiple of its number of sets.
TEST(OursEnumeration, SplitTablesOfFullSize) {
    __extension__ using Wide = unsigned __int128;
    for (auto const& [low, high, column_bits] :
         {std::array{16u, 16u, 4u}, {16u, 5u, 4u}, {3u, 0u, 4u}, {32u, 32u, 5u}, {32u, 9u, 5u}}) {
        SplitForm const form{32, column_bits, split_tail_words};
        SplitTable const table = make_split_table(low, high, form);
        Wide const all = Wide{1} << (form.fraction_bits() + 96);
        for (unsigned k = 0; k <= low + high; ++k) {
            std::vector<Wide> numbers(low + 1, 0);
            for (unsigned number = 0; number < 1u << column_bits; ++number) {
                std::size_t const column = (std::size_t{k} << column_bits) + number;
                unsigned const entry = table.entries[column];
                ASSERT_EQ(entry >> (32 - column_bits), number);
                Wide bounds[2] = {};
                for (unsigned side = 0; side < 2; ++side) {
                    bounds[side] = entry >> 16 & ((1u << form.fraction_bits()) - 1);
                    for (unsigned i = 0; i < 3; ++i)
                        bounds[side] = bounds[side] << 32 | table.tails[(2 * column + side) * 3 + i];
                }
                ASSERT_LE(bounds[0], bounds[1]);
                numbers.at(entry & 0xFFu) += bounds[0];
                numbers.at(entry >> 8 & 0xFFu) += all - bounds[1];
            }
            Wide const scale = all / binomial_number(low + high, k) << column_bits;
            for (unsigned j = 0; j <= low; ++j) {
                Wide const sets = j > k ? Wide{0} : Wide{binomial_number(low, j)} * binomial_number(high, k - j);
                EXPECT_TRUE(numbers[j] == scale * sets) << low << " + " << high << ", " << k << ", " << j;
            }
        }
    }
}

// Four parts with these sites and counts: every choice of masks occurs equally often.
template <unsigned half, unsigned bits>
std::map<std::uint64_t, std::uint64_t> digits(std::array<unsigned, 4> const& sites,
                                              std::array<unsigned, 4> const& counts) {
    PartSets parts[4];
    for (unsigned i = 0; i < 4; ++i)
        parts[i] = make_part_sets(sites[i], half).at(counts[i]);
    return enumerate<bits>(2, [&](Script<bits>& script) {
        unsigned masks[4];
        cpu::draw_digits<half>(script, parts, 1, masks);
        std::uint64_t set = 0;
        for (unsigned i = 4; i-- > 0;)
            set = set << half | make_masks(half).at(masks[i]);
        return set;
    });
}

template <unsigned half, unsigned bits>
void check_digits(std::array<unsigned, 4> const& sites, std::array<unsigned, 4> const& counts) {
    auto const found = digits<half, bits>(sites, counts);
    double sets = 1;
    for (unsigned i = 0; i < 4; ++i)
        sets *= binomial(sites[i], counts[i]);
    EXPECT_EQ(static_cast<double>(found.size()), sets);
    for (auto const& [set, count] : found) {
        EXPECT_EQ(count, found.begin()->second);
        for (unsigned i = 0; i < 4; ++i) {
            std::uint64_t const mask = set >> (i * half) & ((1u << half) - 1);
            EXPECT_EQ(std::popcount(mask), static_cast<int>(counts[i]));
            EXPECT_EQ(mask >> sites[i], 0u);
        }
    }
}

TEST(OursEnumeration, MasksOfFourParts) {
    check_digits<2, 5>({2, 2, 2, 2}, {1, 1, 1, 1});
    check_digits<2, 5>({2, 2, 2, 1}, {1, 0, 2, 1});
    check_digits<4, 6>({4, 4, 4, 4}, {2, 2, 2, 2});
    check_digits<4, 6>({4, 4, 4, 4}, {1, 3, 2, 2});
    check_digits<4, 6>({4, 3, 4, 0}, {2, 1, 3, 0});
    check_digits<4, 7>({4, 4, 4, 2}, {2, 3, 1, 1});
}

// The remainder that decides about rejection, for quotients near the resolution of double precision.
TEST(OursEnumeration, RemaindersOfTwoWords) {
    __extension__ using Wide = unsigned __int128;
    std::vector<std::uint64_t> numbers = {1, 2, 4095, 4096, 4097, 12870, std::uint64_t{12870} * 12870 * 12870 * 12870};
    for (unsigned bits = 12; bits < 55; ++bits) {
        for (std::uint64_t const off : {1, 2, 3, 1001})
            numbers.insert(numbers.end(), {(std::uint64_t{1} << bits) + off, (std::uint64_t{2} << bits) - off});
    }
    for (unsigned i = 0; i < 100000; ++i)
        numbers.push_back(4096 + (i * 0x9E3779B97F4A7C15u >> (10 + i % 42)));
    for (std::uint64_t const number : numbers)
        ASSERT_TRUE(cpu::remainder_of_numbers<64>(number) == (Wide{1} << 64) % number) << number;
}

// The splits and the masks together equal the specification on several hundred strings of words.
template <unsigned bits, unsigned tails>
void check_against_reference(unsigned sites) {
    constexpr unsigned half = 2;
    SplitForm const form = narrow_form(bits, tails);
    Unranking const reference(sites, half, form, form);
    unsigned const words = reference.parts_per_set() / 2;
    SplitView<tails> low{make_split_table(std::min(sites, half), std::min(sites - std::min(sites, half), half), form)};
    unsigned const above = sites > 4 ? sites - 4 : 0;
    SplitView<tails> high{make_split_table(std::min(above, half), above - std::min(above, half), form)};
    SplitView<tails> pair{sites > 4 ? make_split_table(4, above, form) : SplitTable{}};
    for (unsigned k = 0; k <= sites; ++k) {
        std::vector<unsigned> occupied(reference.sets_per_group(), k);
        occupied.back() = sites - k;
        auto const joined_sets = [&](std::vector<std::uint64_t> const& sets) {
            std::uint64_t joined = 0;
            for (std::uint64_t const set : sets)
                joined = joined << 2 * half * words | set;
            return joined;
        };
        auto const by_kernel = [&](Script<bits>& script) {
            unsigned of_four[4];
            unsigned of_two[6];
            if (words == 2)
                cpu::draw_fields(script, of_two);
            else
                cpu::draw_fields(script, of_four);
            unsigned const* field = words == 2 ? of_two : of_four;
            PartSets parts[2][4];
            unsigned part = 0;
            auto const put = [&](SplitView<tails>& view, unsigned in_word) {
                unsigned const in_low = cpu::draw_split(view, script, in_word, *field++);
                for (unsigned const count : {in_low, in_word - in_low}) {
                    unsigned const here = part % (2 * words) * half;
                    unsigned const part_sites = std::min(half, sites - std::min(sites, here));
                    parts[part / 4][part % 4] = make_part_sets(part_sites, half).at(count);
                    ++part;
                }
            };
            for (unsigned const in_set : occupied) {
                unsigned in_low = in_set;
                if (words == 2)
                    in_low = cpu::draw_split(pair, script, in_set, *field++);
                put(low, in_low);
                if (words == 2)
                    put(high, in_set - in_low);
            }
            std::vector<std::uint64_t> sets(occupied.size(), 0);
            unsigned masks[2][4];
            for (unsigned four = 0; four < 2; ++four)
                cpu::draw_digits<half>(script, parts[four], 1, masks[four]);
            for (unsigned at = 0; at < 8; ++at) {
                std::uint64_t const mask = make_masks(half).at(masks[at / 4][at % 4]);
                sets[at / (2 * words)] |= mask << at % (2 * words) * half;
            }
            return joined_sets(sets);
        };
        for (std::uint64_t number = 1; number <= 500; ++number) {
            Script<bits> one(number * 0x9E3779B97F4A7C15u, 64 / bits);
            Script<bits> other = one;
            EXPECT_EQ(by_kernel(one), joined_sets(reference.draw(occupied, [&] { return other(); })))
                << sites << " sites, " << k << " occupied, string " << number;
        }
    }
}

TEST(OursEnumeration, SetsByNumberAreTheReference) {
    for (unsigned sites = 1; sites <= 8; ++sites) {
        check_against_reference<8, 1>(sites);
        check_against_reference<6, 2>(sites);
    }
}

// Positions in order, with the bits of the first word lowest.
std::uint64_t joined(std::vector<std::uint32_t> const& words, unsigned column_bits) {
    std::uint64_t set = 0;
    for (std::size_t i = words.size(); i-- > 0;)
        set = set << (1u << column_bits) | words[i];
    return set;
}

template <unsigned bits>
void check_dense(DenseTeam const& team, std::vector<std::uint32_t> const& candidates, unsigned sites,
                 DensePlan const& plan, unsigned depth) {
    unsigned const probes = bits / team.field_bits();
    for (unsigned k = 0; k <= sites; ++k) {
        auto const counts = enumerate<bits>(depth, [&](Script<bits>& script) {
            std::vector<DenseJob> const jobs = {{candidates, k, plan}};
            return joined(draw_dense(
                              team, probes, jobs, [&](unsigned) { return script(); }, bits)[0],
                          team.column_bits);
        });
        EXPECT_TRUE(uniform(counts, sites, k)) << team.lanes << " lanes, " << sites << " sites, " << k << " occupied, "
                                               << plan.numerator << "/2^" << plan.digits;
    }
}

TEST(OursEnumeration, DensePassAndRepair) {
    DenseTeam const thread{1, 2, 1, 1};  // two rows of two sites
    DenseTeam const pair{2, 1, 1, 1};    // the same, one row per lane
    for (DensePlan const plan : {DensePlan{0, 0}, DensePlan{1, 1}, DensePlan{2, 1}}) {
        check_dense<4>(thread, {3, 3}, 4, plan, 4);
        check_dense<4>(thread, {3, 1}, 3, plan, 4);
        check_dense<3>(pair, {3, 3}, 4, plan, 6);
        check_dense<3>(pair, {1, 3}, 3, plan, 6);
    }
    check_dense<4>(pair, {3, 3}, 4, {1, 1}, 4);
    // Throws, one word per round: two balls per thread, or one per lane.
    for (DensePlan const plan : {DensePlan{0, 0, true}, DensePlan{1, 1, true}}) {
        check_dense<4>({1, 2, 1, 1, 1}, {3, 3}, 4, plan, 4);
        check_dense<4>({1, 2, 1, 1, 1}, {3, 1}, 3, plan, 4);
        check_dense<3>({2, 1, 1, 1, 1}, {3, 3}, 4, plan, 6);
        check_dense<3>({2, 1, 1, 1, 1}, {1, 3}, 3, plan, 6);
    }
    check_dense<3>({4, 1, 0, 1}, {1, 1, 1, 1}, 4, {1, 1}, 6);
}

// Two boards that share an engine: every pair of sets occurs equally often.
TEST(OursEnumeration, TwoBoardsAtOnce) {
    auto const counts = enumerate<4>(5, [](Script<4>& script) {
        std::vector<DenseJob> const jobs(2, {{3}, 1, {1, 1}});
        auto const sets = draw_dense({1, 1, 1, 2}, 4, jobs, [&](unsigned) { return script(); });
        return std::uint64_t{sets[0][0]} | std::uint64_t{sets[1][0]} << 2;
    });
    EXPECT_EQ(counts.size(), 4u);
    for (auto const& [set, count] : counts)
        EXPECT_EQ(count, counts.begin()->second);
}

// Negative controls.

// The number of four parts without rejection.
TEST(OursEnumerationCatches, ANumberWithoutRejection) {
    std::map<std::uint64_t, std::uint64_t> counts;
    for (unsigned word = 0; word < 32; ++word)
        ++counts[make_masks(4).at(5 + word * 6 / 32)];
    EXPECT_FALSE(uniform(counts, 4, 2));
}

// Undecided fields are counted with the larger ones: a threshold that is rounded down.
TEST(OursEnumerationCatches, ASplitWithoutTails) {
    SplitView<> view{make_split_table(4, 4, narrow_form(8))};
    std::fill(view.table.tails.begin(), view.table.tails.end(), 0u);
    EXPECT_FALSE(in_proportion(first_tries<8>(view, 4, 4), 4, 4, 4));
}

// Fields that must be rejected are assigned to the outcome of the larger fields.
TEST(OursEnumerationCatches, ASplitThatRejectsNothing) {
    SplitView<> view{make_split_table(4, 4, narrow_form(8))};
    for (std::size_t i = 0; i + 1 < view.table.tails.size(); i += 2)
        view.table.tails[i + 1] = view.table.tails[i];
    EXPECT_FALSE(in_proportion(first_tries<8>(view, 4, 4), 4, 4, 4));
}

// If there are too many hits, those at the lowest positions are taken instead of those of the first lanes.
TEST(OursEnumerationCatches, HitsChosenByPosition) {
    auto const counts = enumerate<2>(2, [](Script<2>& script) -> std::uint64_t {
        unsigned const first = script();
        unsigned const second = script();
        return std::uint64_t{1} << std::min(first, second);
    });
    EXPECT_FALSE(uniform(counts, 4, 1));
}

// The repair uses only the word, so that it selects sites of a full row as often as sites of an empty row.
TEST(OursEnumerationCatches, ARepairThatDependsOnRows) {
    auto const counts = enumerate<3>(3, [](Script<3>& script) -> std::uint64_t {
        std::uint64_t set = script() & 3u;
        set |= std::uint64_t{script() & 3u} << 2;
        if (std::popcount(set) > 2)
            return 0;
        unsigned const row = script() & 1u;
        for (unsigned bit = 0; std::popcount(set) < 2 && bit < 4; ++bit)
            set |= std::uint64_t{1} << ((2 * row + bit) % 4);
        return set;
    });
    EXPECT_FALSE(uniform(counts, 4, 2));
}

// The plan has a low cost and always a valid density.
TEST(DensePlans, StayNearTheWantedDensity) {
    DenseTeam const team{1, 32, 5, 2};
    EXPECT_EQ(dense_plan(team, 1024, 512), (DensePlan{1, 1}));
    EXPECT_EQ(dense_plan(team, 1024, 0), (DensePlan{0, 0}));
    EXPECT_EQ(dense_plan(team, 1024, 1), (DensePlan{0, 0}));
    for (bool const mixed : {false, true}) {
        for (unsigned wanted = 0; wanted <= 512; ++wanted) {
            DensePlan const plan = dense_plan(team, 1024, wanted, mixed);
            EXPECT_LE(plan.numerator, 1u << (plan.digits == 0 ? 0 : plan.digits - 1));
            EXPECT_EQ(plan.digits == 0, plan.numerator == 0);
            EXPECT_TRUE(plan.digits == 0 || plan.numerator % 2 == 1);
        }
    }
}

}  // namespace
}  // namespace lockstep::random_grids::tests
