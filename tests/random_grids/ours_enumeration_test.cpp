// Our own algorithms proved in the small: by number, and by a dense pass with a repair. And mistakes that must be seen.

#include <gtest/gtest.h>

#include <vector>

#include "kernels/random_grids/unrank.hpp"
#include "reference_cpu/random_grids/dense.hpp"
#include "reference_cpu/random_grids/unranking.hpp"
#include "tests/random_grids/enumeration.hpp"

namespace lockstep::random_grids::tests {
namespace {

constexpr unsigned cell_bits = 2;

// The kernels' look-ups, from tables for narrow words.
struct PartView {
    UnrankTables tables;

    UnrankEntry entry(unsigned i) const { return tables.entries.at(i); }
    unsigned mask(unsigned i) const { return tables.masks.at(i); }

    template <unsigned half, unsigned bits>
    std::uint64_t draw(Script<bits>& script, unsigned k) const {
        cpu::Rank const rank = cpu::draw_rank(script, tables.rows.at(k));
        unsigned const guess = tables.guide.at((std::size_t{k} << cell_bits) + (rank.word >> (bits - cell_bits)));
        return cpu::unrank<half>(*this, k * unrank_entries, guess, rank.number);
    }
};

struct SplitView {
    SplitTables tables;
    unsigned tries = 0;

    unsigned high(unsigned i) const { return tables.high.at(i); }
    unsigned low(unsigned i) const { return tables.low.at(i); }
    unsigned split_guide(unsigned i) {
        ++tries;
        return tables.guide.at(i);
    }

    template <unsigned bits>
    unsigned draw(Script<bits>& script, unsigned k) {
        return cpu::draw_split(*this, script, tables.rows.at(k), k * split_thresholds, k << cell_bits, cell_bits);
    }
};

template <unsigned half, unsigned bits>
void check_numbers(unsigned sites, unsigned depth) {
    PartView const view{make_unrank_tables(sites, half, bits, cell_bits)};
    Unranking const reference(half);
    for (unsigned k = 0; k <= sites; ++k) {
        SCOPED_TRACE(std::to_string(sites) + " sites, " + std::to_string(k) + " occupied");
        auto const counts =
            enumerate<bits>(depth, [&](Script<bits>& script) { return view.template draw<half>(script, k); });
        EXPECT_TRUE(uniform(counts, sites, k));
        auto const expected =
            enumerate<bits>(depth, [&](Script<bits>& script) { return reference.draw_part(script, sites, k); });
        EXPECT_EQ(counts, expected);
    }
}

TEST(OursEnumeration, SetsByNumber) {
    for (unsigned sites = 1; sites <= 4; ++sites)
        check_numbers<2, 3>(sites, 4);
    for (unsigned sites = 5; sites <= 8; ++sites)
        check_numbers<4, 7>(sites, 2);
    for (unsigned sites = 3; sites <= 8; ++sites)
        check_numbers<4, 9>(sites, 1);
}

// How many of the sites lie in the low part: as often as there are sets, exactly, in a first try.
template <unsigned bits>
void check_split(unsigned sites, unsigned low) {
    SplitView view{make_split_tables(sites, low, bits, cell_bits)};
    for (unsigned k = 0; k <= sites; ++k) {
        std::map<std::uint64_t, std::uint64_t> counts;
        for (std::uint64_t string = 0; string < 1u << 2 * bits; ++string) {
            Script<bits> script(string, 2);
            view.tries = 0;
            unsigned const count = view.draw(script, k);
            if (view.tries == 1)
                ++counts[count];
        }
        std::uint64_t const scale = ((1u << 2 * bits) - 1) / binomial_number(sites, k);
        for (unsigned j = 0; j <= low; ++j) {
            std::uint64_t const sets = j > k ? 0 : binomial_number(low, j) * binomial_number(sites - low, k - j);
            EXPECT_EQ(counts[j], scale * sets) << sites << " sites, " << k << " occupied, " << j << " of them low";
        }
    }
}

TEST(OursEnumeration, Split) {
    for (unsigned sites = 5; sites <= 8; ++sites)
        check_split<5>(sites, 4);
    check_split<7>(7, 4);
    check_split<8>(8, 4);
}

// Both together are the reference, word for word.
TEST(OursEnumeration, SplitSetsAreTheReference) {
    Unranking const reference(2);
    for (unsigned sites = 5; sites <= 8; ++sites) {
        PartView const low{make_unrank_tables(4, 2, 4, cell_bits)};
        PartView const high{make_unrank_tables(sites - 4, 2, 4, cell_bits)};
        SplitView split{make_split_tables(sites, 4, 4, cell_bits)};
        for (unsigned k = 0; k <= sites; ++k) {
            if (binomial_number(sites, k) > 255)
                continue;
            auto const expected = enumerate<4>(4, [&](Script<4>& script) { return reference.draw(script, sites, k); });
            auto const counts = enumerate<4>(4, [&](Script<4>& script) {
                unsigned const in_low = split.draw(script, k);
                std::uint64_t const part = low.draw<2>(script, in_low);
                return part | high.draw<2>(script, k - in_low) << 4;
            });
            EXPECT_EQ(counts, expected) << sites << " sites, " << k << " occupied";
        }
    }
}

// Positions in order, bits of the first word lowest.
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
            return joined(draw_dense(team, probes, jobs, [&](unsigned) { return script(); })[0], team.column_bits);
        });
        EXPECT_TRUE(uniform(counts, sites, k)) << team.lanes << " lanes, " << sites << " sites, " << k << " occupied, "
                                               << plan.numerator << "/2^" << plan.digits;
    }
}

TEST(OursEnumeration, DensePassAndRepair) {
    DenseTeam const thread{1, 2, 1, 1};  // two rows of two sites
    DenseTeam const pair{2, 1, 1, 1};    // the same, a lane each
    for (DensePlan const plan : {DensePlan{0, 0}, DensePlan{1, 1}, DensePlan{2, 1}}) {
        check_dense<4>(thread, {3, 3}, 4, plan, 4);
        check_dense<4>(thread, {3, 1}, 3, plan, 4);
        check_dense<3>(pair, {3, 3}, 4, plan, 6);
        check_dense<3>(pair, {1, 3}, 3, plan, 6);
    }
    check_dense<4>(pair, {3, 3}, 4, {1, 1}, 4);
    check_dense<3>({4, 1, 0, 1}, {1, 1, 1, 1}, 4, {1, 1}, 6);
}

// Two boards at once share an engine: every pair of sets equally often.
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

TEST(OursEnumerationCatches, ANumberWithoutRejection) {
    PartView view{make_unrank_tables(4, 2, 3, cell_bits)};
    for (UnrankRow& row : view.tables.rows)
        row.rejected = 0;
    auto const counts = enumerate<3>(1, [&](Script<3>& script) { return view.draw<2>(script, 2); });
    EXPECT_FALSE(uniform(counts, 4, 2));
}

TEST(OursEnumerationCatches, AWrongThreshold) {
    PartView view{make_unrank_tables(8, 4, 7, cell_bits)};
    ++view.tables.entries.at(4 * unrank_entries + 2).before;
    std::map<std::uint64_t, std::uint64_t> counts;
    for (std::uint64_t string = 0; string < 128; ++string) {
        Script<7> script(string, 1);
        // A number past the class looks up a mask of the next one, or none.
        try {
            ++counts[view.draw<4>(script, 4)];
        } catch (std::out_of_range const&) {
            ++counts[1000];
        }
    }
    EXPECT_FALSE(uniform(counts, 8, 4));
}

// Of too many hits those at the lowest positions are taken, not those of the first lanes.
TEST(OursEnumerationCatches, HitsChosenByPosition) {
    auto const counts = enumerate<2>(2, [](Script<2>& script) -> std::uint64_t {
        unsigned const first = script();
        unsigned const second = script();
        return std::uint64_t{1} << std::min(first, second);
    });
    EXPECT_FALSE(uniform(counts, 4, 1));
}

// The repair goes by the word alone, so that sites of a full row are wanted as often as those of an empty one.
TEST(OursEnumerationCatches, ARepairThatLooksAtRows) {
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

// The plan is one that costs little, and always a density that exists.
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
