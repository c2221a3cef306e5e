// Proof of `pooled` for small sizes: the joint law of all boards of a warp, for every string of narrow words. Also
// planted errors that the enumeration must detect.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "reference_cpu/random_grids/pooled.hpp"
#include "tests/random_grids/enumeration.hpp"

namespace lockstep::random_grids::tests {
namespace {

using Sets = std::vector<std::vector<std::uint32_t>>;

// A few boards of a few sites.
struct Small {
    unsigned lanes;
    unsigned sites;
    unsigned words;
    unsigned probes;
    unsigned words_per_step = 1;
};

template <unsigned bits>
PooledForm form_of(Small const& small) {
    return {small.sites, small.words, small.probes, small.words_per_step, small.lanes / 2, small.lanes, bits};
}

template <unsigned bits>
std::vector<std::uint32_t> sites_below(unsigned const sites, unsigned const words) {
    std::vector<std::uint32_t> all(words, 0);
    for (unsigned site = 0; site < sites; ++site)
        all[site / bits] |= 1u << site % bits;
    return all;
}

// The sets of all boards as one number.
template <unsigned bits>
std::uint64_t joint(Sets const& sets) {
    std::uint64_t number = 0;
    for (std::vector<std::uint32_t> const& set : sets) {
        for (std::uint32_t const word : set)
            number = number << bits | word;
    }
    return number;
}

template <unsigned bits>
std::vector<PooledJob> jobs_of(PooledForm const& form, std::vector<unsigned> const& occupied, PooledPlan const& plan) {
    std::vector<PooledJob> jobs;
    for (unsigned const k : occupied)
        jobs.push_back({sites_below<bits>(form.sites, form.words), k, plan.numerators[0]});
    return jobs;
}

// Returns true if every choice of one set per board occurs equally often.
bool all_equally_likely(std::map<std::uint64_t, std::uint64_t> const& counts, unsigned const candidates,
                        std::vector<unsigned> const& occupied) {
    double choices = 1;
    for (unsigned const k : occupied)
        choices *= binomial(candidates, k);
    return static_cast<double>(counts.size()) == choices &&
           std::all_of(counts.begin(), counts.end(),
                       [&](auto const& count) { return count.second == counts.begin()->second; });
}

// Strings of `depth` words.
template <unsigned bits>
bool is_exact(Small const& small, std::vector<unsigned> const& occupied, PooledPlan const& plan, unsigned depth) {
    PooledForm const form = form_of<bits>(small);
    std::vector<PooledJob> const jobs = jobs_of<bits>(form, occupied, plan);
    auto const counts = enumerate<bits>(depth, [&](Script<bits>& script) {
        return joint<bits>(draw_pooled(form, plan.digits, jobs, [&](unsigned) { return script(); }));
    });
    return all_equally_likely(counts, small.sites, occupied);
}

PooledPlan const no_pass{0, {0}};
PooledPlan const half{1, {1}};
PooledPlan const quarter{2, {1}};

// Two boards of two sites: every pair of numbers of occupied sites, with one and with two probes per word.
TEST(PooledEnumeration, TwoBoards) {
    for (unsigned first = 0; first <= 2; ++first) {
        for (unsigned second = 0; second <= 2; ++second) {
            for (PooledPlan const& plan : {no_pass, half}) {
                EXPECT_TRUE(is_exact<2>({2, 2, 1, 1}, {first, second}, plan, 8));
                EXPECT_TRUE(is_exact<2>({2, 2, 1, 2}, {first, second}, plan, 8));
                EXPECT_TRUE(is_exact<2>({2, 2, 1, 1, 2}, {first, second}, plan, 8));
            }
        }
    }
}

// Three sites are no power of two: words are rejected.
TEST(PooledEnumeration, RejectedWords) {
    for (unsigned k = 0; k <= 3; ++k) {
        EXPECT_TRUE(is_exact<3>({2, 3, 1, 1}, {k, 1}, half, 6)) << k;
        EXPECT_TRUE(is_exact<4>({2, 3, 1, 2}, {k, 2}, no_pass, 4)) << k;
    }
}

// Boards of two words.
TEST(PooledEnumeration, BoardsOfSeveralWords) {
    EXPECT_TRUE(is_exact<2>({2, 4, 2, 1}, {2, 1}, half, 8));
    EXPECT_TRUE(is_exact<2>({2, 3, 2, 1}, {1, 2}, half, 8));
    EXPECT_TRUE(is_exact<1>({2, 2, 2, 1}, {1, 1}, quarter, 16));
}

// One board misses several sites and others none: lanes share a board, take a site twice, and turn to a second board.
TEST(PooledEnumeration, LanesThatShareABoard) {
    EXPECT_TRUE(is_exact<2>({2, 4, 2, 1}, {2, 0}, no_pass, 8));
    EXPECT_TRUE(is_exact<2>({2, 4, 2, 1}, {0, 2}, no_pass, 8));
    EXPECT_TRUE(is_exact<2>({3, 4, 2, 1}, {2, 0, 1}, no_pass, 9));
    EXPECT_TRUE(is_exact<1>({4, 2, 2, 1}, {1, 0, 1, 0}, no_pass, 16));
    EXPECT_TRUE(is_exact<1>({4, 2, 2, 1}, {1, 1, 0, 1}, no_pass, 16));
    EXPECT_TRUE(is_exact<1>({4, 2, 2, 1}, {1, 1, 1, 1}, half, 20));
}

// The candidates of a second colour: three sites of four, not the same ones on each board.
TEST(PooledEnumeration, CandidatesOfASecondColour) {
    PooledForm const form = form_of<2>({2, 4, 2, 1});
    std::vector<PooledJob> const jobs = {{{3, 1}, 1, 1}, {{2, 3}, 2, 1}};
    auto const counts = enumerate<2>(8, [&](Script<2>& script) {
        Sets const sets = draw_pooled(form, 1, jobs, [&](unsigned) { return script(); });
        EXPECT_EQ(sets[0][1] & 2u, 0u);
        EXPECT_EQ(sets[1][0] & 1u, 0u);
        return joint<2>(sets);
    });
    EXPECT_TRUE(all_equally_likely(counts, 3, {1, 2}));
}

// The number of strings that finish does not matter, but some must.
TEST(PooledEnumeration, SeesDependentBoards) {
    EXPECT_FALSE(all_equally_likely({{1, 5}, {2, 5}}, 2, {1, 1}));
    EXPECT_FALSE(all_equally_likely({{1, 5}, {2, 5}, {3, 4}, {4, 5}}, 2, {1, 1}));
    EXPECT_TRUE(all_equally_likely({{1, 5}, {2, 5}, {3, 5}, {4, 5}}, 2, {1, 1}));
}

// Each board alone is uniform, but both lanes draw with one engine's words.
TEST(PooledEnumerationCatches, AWordUsedByTwoLanes) {
    PooledForm const form = form_of<2>({2, 2, 1, 1});
    auto const counts = enumerate<2>(6, [&](Script<2>& script) {
        unsigned shared = 0;
        return joint<2>(draw_pooled(form, 1, jobs_of<2>(form, {1, 1}, half), [&](unsigned lane) {
            if (lane == 0)
                shared = script();
            return shared;
        }));
    });
    EXPECT_FALSE(all_equally_likely(counts, 2, {1, 1}));
}

// Words that name no site with equal probability are used nevertheless.
TEST(PooledEnumerationCatches, WordsThatAreNotRejected) {
    PooledForm const form = form_of<3>({2, 3, 1, 1});
    auto const counts = enumerate<3>(5, [&](Script<3>& script) {
        return joint<3>(draw_pooled(form, 0, jobs_of<3>(form, {1, 1}, no_pass), [&](unsigned) {
            unsigned const word = script();
            return word * form.sites % 8 < form.rejected() ? word + 1 : word;
        }));
    });
    EXPECT_FALSE(all_equally_likely(counts, 3, {1, 1}));
}

// The repair reads the words of the pass again.
TEST(PooledEnumerationCatches, ARepairFromTheWordsOfThePass) {
    PooledForm const form = form_of<2>({2, 2, 1, 1});
    auto const counts = enumerate<2>(6, [&](Script<2>& script) {
        std::vector<unsigned> words;
        std::size_t drawn = 0;
        return joint<2>(draw_pooled(form, 1, jobs_of<2>(form, {1, 1}, half), [&](unsigned) {
            if (drawn < 2)
                words.push_back(script());
            return drawn < 4 ? words[drawn++ % 2] : script();
        }));
    });
    EXPECT_FALSE(all_equally_likely(counts, 2, {1, 1}));
}

// Two lanes that hit the same site both count it, so that a board ends with too few sites.
TEST(PooledEnumerationCatches, ASiteCountedTwice) {
    auto const counts = enumerate<2>(2, [](Script<2>& script) {
        unsigned const first = script();
        return std::uint64_t{1} << first | std::uint64_t{1} << script();
    });
    EXPECT_FALSE(uniform(counts, 4, 2));
}

// A lane ends its part where it stands on the board, not after so many hits.
TEST(PooledEnumerationCatches, APartThatDependsOnASite) {
    auto const counts = enumerate<2>(3, [](Script<2>& script) {
        std::uint64_t set = std::uint64_t{1} << script();
        while (std::popcount(set) < 2 && !script.exhausted()) {
            unsigned const site = script();
            set |= std::uint64_t{1} << (site == 3 ? 0 : site);
        }
        return set;
    });
    EXPECT_FALSE(uniform(counts, 4, 2));
}

// Expected probes are least near the wanted density, and every plan can be made.
TEST(PooledPlans, StayNearTheWantedDensity) {
    auto const plan_of = [](char const* grid, char const* occupied, char const* engine) {
        Workload workload;
        workload.shape = parse_shape(grid);
        workload.occupied = parse_occupied(occupied, workload.shape);
        workload.engine = engine;
        return pooled_plans(workload, *pooled_form(workload));
    };
    for (char const* const engine : {"xorwow", "taus88", "philox7", "philox10"}) {
        PooledPlan const at_half = plan_of("32x32", "512", engine)[0];
        EXPECT_EQ(at_half.digits, 1u);
        EXPECT_EQ(at_half.numerators, std::vector<unsigned>{1});
        PooledPlan const mixed = plan_of("32x32", "mixed", engine)[0];
        ASSERT_EQ(mixed.numerators.size(), 513u);
        EXPECT_EQ(mixed.numerators[0], 0u);
        EXPECT_TRUE(std::is_sorted(mixed.numerators.begin(), mixed.numerators.end()));
        EXPECT_EQ(mixed.numerators[512], (1u << mixed.digits) / 2);
        EXPECT_EQ(plan_of("32x32", "1", engine)[0].digits, 0u);
        EXPECT_EQ(plan_of("15x15", "71,70", engine).size(), 2u);
    }
}

}  // namespace
}  // namespace lockstep::random_grids::tests
