// The choice of a team: powers of two that fit, few lanes for many replications, many lanes for few replications.

#include "kernels/replications/team_choice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "harness/bench/error.hpp"
#include "tests/replications/variants.hpp"

namespace lockstep::replications::tests {
namespace {

TEST(TeamChoice, FitsForEveryNumberOfReplications) {
    for (Model const model : models) {
        unsigned before = ~0u;
        for (std::uint64_t replications = 1; replications <= std::uint64_t{1} << 20; replications *= 2) {
            Job const asked = job(model, replications, model == Model::pi ? 100000 : 1000);
            Team const team = best_team(asked, {}, 132);
            EXPECT_TRUE(std::has_single_bit(team.lanes));
            EXPECT_TRUE(fits(asked, team, 132)) << replications;
            EXPECT_LE(team.lanes, before * 4)
                << "more replications have fewer lanes each, except at the edges of waves";
            before = team.lanes;
        }
        EXPECT_LE(before, 64u);
    }
}

// A team of several blocks waits for all of them, so each must have its place.
TEST(TeamChoice, KnowsWhatASmallerGpuHolds) {
    Multiprocessors small(132);
    small.blocks = 16;
    Team const narrow = {64, 32};  // two blocks per replication
    EXPECT_TRUE(fits(job(Model::mm1, 132 * 8, 1000), narrow, small));
    EXPECT_FALSE(fits(job(Model::mm1, 132 * 8 + 1, 1000), narrow, small));
    EXPECT_TRUE(fits(job(Model::mm1, 132 * 8 + 1, 1000), narrow, 132)) << "an H200 holds 32 blocks";

    Team const tabled = {2048, 128};  // 16 blocks per replication, with the table of long_walk() in shared memory
    ASSERT_TRUE(is_long_walk(job(Model::walk, 1, 100000), tabled));
    small.blocks = 32;
    small.shared_bytes = 100 * 1024;
    EXPECT_TRUE(fits(job(Model::walk, 132 * 6 / 16, 100000), tabled, small)) << "6 blocks of 15 KiB in 100 KiB";
    EXPECT_FALSE(fits(job(Model::walk, 132 * 7 / 16, 100000), tabled, small));
    EXPECT_TRUE(fits(job(Model::walk, 132 * 7 / 16, 100000), tabled, 132));
}

// The choices for the multiprocessors of an H200: a change of the model that moves one shows here.
TEST(TeamChoice, StaysTheSame) {
    auto const team = [](Model model, std::uint64_t replications, std::uint64_t items) {
        Team const best = best_team(job(model, replications, items), {}, 132);
        return std::pair(best.lanes, best.block);
    };
    using Sizes = std::pair<unsigned, unsigned>;
    EXPECT_EQ(team(Model::pi, 1, 100000), Sizes(4096, 128));
    EXPECT_EQ(team(Model::pi, 2, 100000), Sizes(4096, 128));
    EXPECT_EQ(team(Model::pi, 64, 100000), Sizes(1024, 512));
    EXPECT_EQ(team(Model::pi, 128, 100000), Sizes(512, 512));
    EXPECT_EQ(team(Model::pi, 1024, 100000), Sizes(256, 256));
    EXPECT_EQ(team(Model::pi, 8192, 100000).first, 64u);
    for (std::uint64_t replications = 1; replications <= 256; replications *= 2)
        EXPECT_EQ(team(Model::walk, replications, 1000), Sizes(128, 128)) << replications;
    EXPECT_EQ(team(Model::walk, 512, 1000), Sizes(64, 64));
    EXPECT_EQ(team(Model::walk, 1024, 1000), Sizes(32, 128));
    EXPECT_EQ(team(Model::walk, 2048, 1000), Sizes(8, 128));
    EXPECT_EQ(team(Model::walk, 4096, 1000), Sizes(8, 128));
    EXPECT_EQ(team(Model::walk, 8192, 1000), Sizes(4, 128));
    EXPECT_EQ(team(Model::walk, 1u << 14, 1000), Sizes(1, 128));
    EXPECT_EQ(team(Model::walk, 1u << 15, 1000), Sizes(1, 256));
    EXPECT_EQ(team(Model::walk, 1u << 16, 1000), Sizes(1, 512));
    EXPECT_EQ(team(Model::walk, 1u << 17, 1000), Sizes(1, 1024));
    EXPECT_EQ(team(Model::walk, 1u << 18, 1000), Sizes(1, 1024));
    EXPECT_EQ(team(Model::walk, 16, 100000), Sizes(2048, 256));
    for (std::uint64_t replications = 1; replications <= 4; replications *= 2)
        EXPECT_EQ(team(Model::mm1, replications, 10000), Sizes(4096, 128)) << replications;
    EXPECT_EQ(team(Model::mm1, 8, 10000), Sizes(2048, 128));
    EXPECT_EQ(team(Model::mm1, 16, 10000), Sizes(1024, 128));
    EXPECT_EQ(team(Model::mm1, 32, 10000), Sizes(512, 128));
    EXPECT_EQ(team(Model::mm1, 64, 10000), Sizes(256, 256));
    EXPECT_EQ(team(Model::mm1, 128, 10000), Sizes(256, 256));
    EXPECT_EQ(team(Model::mm1, 256, 10000), Sizes(128, 128));
    EXPECT_EQ(team(Model::mm1, 512, 10000), Sizes(128, 128));
    EXPECT_EQ(team(Model::mm1, 1024, 10000), Sizes(32, 64));
    EXPECT_EQ(team(Model::mm1, 2048, 10000), Sizes(16, 64));
    EXPECT_EQ(team(Model::mm1, 4096, 10000), Sizes(8, 64));
    EXPECT_EQ(team(Model::mm1, 8192, 10000), Sizes(4, 64));
    EXPECT_EQ(team(Model::mm1, 1111, 7777), Sizes(128, 128)) << "nine blocks of two warps leave a scheduler with five";
    EXPECT_EQ(team(Model::walk, 93, 3333), Sizes(128, 128));
}

// Teams that the estimate does not prefer, but that are tried.
TEST(TeamChoice, TriesFurtherTeams) {
    auto const tries = [](Model model, std::uint64_t replications, std::uint64_t items, Team const& wanted) {
        std::vector<Team> const teams = best_teams(job(model, replications, items), {}, 132, 1.25, 6);
        return std::any_of(teams.begin(), teams.end(),
                           [&](Team const& team) { return team.lanes == wanted.lanes && team.block == wanted.block; });
    };
    EXPECT_TRUE(tries(Model::pi, 64, 100000, {512, 256}));
    EXPECT_TRUE(tries(Model::walk, 64, 100000, {512, 256}));
    EXPECT_TRUE(tries(Model::walk, 256, 100000, {256, 256}));
    EXPECT_TRUE(tries(Model::mm1, 1024, 10000, {256, 256}));
    EXPECT_TRUE(tries(Model::mm1, 1u << 14, 10000, {4, 64}));
    EXPECT_TRUE(tries(Model::mm1, 1u << 18, 10000, {4, 64}));
}

// Of a design with different points, the slowest point counts, wherever it is.
TEST(TeamChoice, DoesNotDependOnTheOrderOfPoints) {
    auto const expect_the_slowest = [](Job const& design, Team const& team) {
        Job turned = design;
        std::swap(turned.points.front(), turned.points.back());
        EXPECT_EQ(estimated_cycles(design, team, 132), estimated_cycles(turned, team, 132));
        EXPECT_EQ(best_team(design, {}, 132).lanes, best_team(turned, {}, 132).lanes);
        double slowest = 0;
        for (Point const& point : design.points) {
            Job same = design;
            same.points.assign(design.points.size(), point);
            slowest = std::max(slowest, estimated_cycles(same, team, 132));
        }
        EXPECT_EQ(estimated_cycles(design, team, 132), slowest);
    };
    Job queues = job(Model::mm1, 40, 10000);
    queues.points = {make_point(Model::mm1, 10000, 0.1, 30), make_point(Model::mm1, 10000, 0.99, 30)};
    expect_the_slowest(queues, {256, 256});
    Job branching = job(Model::branches, 40, 10000);
    branching.points.push_back(branching.points.front());
    branching.points.front().ways = 2;
    branching.points.back().ways = 16;
    branching.points.back().rounds = 9;
    branching.points.back().loads = 3;
    expect_the_slowest(branching, {256, 256});
    branching.replications = 100000;
    expect_the_slowest(branching, {1, 128});
}

TEST(TeamChoice, FillsInUnsetMembers) {
    Job const asked = job(Model::walk, 10, 1000);
    EXPECT_EQ(best_team(asked, {64, 0}, 132).lanes, 64u);
    EXPECT_EQ(best_team(asked, {0, 256}, 132).block, 256u);
    EXPECT_THROW(best_team(asked, {48, 0}, 132), bench::Error);
    EXPECT_THROW(best_team(asked, {0, 2048}, 132), bench::Error);
    EXPECT_THROW(best_team(job(Model::walk, 1000, 1000), {1u << 17, 128}, 132), bench::Error);
}

// The teams that `auto` tries: the best one first, the others no further from it than asked for.
TEST(TeamChoice, BestTeamsRiseAndStayWithinTheFactor) {
    constexpr double within = 1.25;
    for (Model const model : {Model::pi, Model::mm1, Model::walk, Model::branches}) {
        for (std::uint64_t replications = 3; replications <= std::uint64_t{1} << 20; replications *= 9) {
            Job const asked = job(model, replications, 1111);
            std::vector<Team> const teams = best_teams(asked, {}, 132, within, 6);
            ASSERT_FALSE(teams.empty());
            ASSERT_LE(teams.size(), 6u);
            Team const best = best_team(asked, {}, 132);
            EXPECT_EQ(std::pair(teams.front().lanes, teams.front().block), std::pair(best.lanes, best.block));
            double const least = estimated_cycles(asked, best, 132);
            double before = 0;
            std::map<unsigned, int> blocks_of_lanes;
            for (Team const& team : teams) {
                double const cycles = estimated_cycles(asked, team, 132);
                EXPECT_GE(cycles, before);
                EXPECT_LE(cycles, within * least);
                EXPECT_TRUE(fits(asked, team, 132));
                EXPECT_LE(++blocks_of_lanes[team.lanes], 2);
                before = cycles;
            }
        }
    }
}

TEST(TeamChoice, BestTeamsAreAsManyAsAskedFor) {
    Job const asked = job(Model::mm1, 93, 3333);
    constexpr double any = std::numeric_limits<double>::infinity();
    EXPECT_EQ(best_teams(asked, {}, 132, any, 4).size(), 4u);
    EXPECT_EQ(best_teams(asked, {}, 132, 1, 1).size(), 1u);
    EXPECT_EQ(best_teams(asked, {64, 64}, 132, any, 4).size(), 1u) << "nothing is left to choose";
    for (Team const& team : best_teams(asked, {0, 256}, 132, any, 9))
        EXPECT_EQ(team.block, 256u);
    EXPECT_THROW(best_teams(asked, {48, 0}, 132, any, 4), bench::Error);
}

TEST(TeamChoice, AcceptsAJobWithoutItems) { EXPECT_EQ(best_team(job(Model::pi, 1, 0), {}, 132).lanes, 1u); }

}  // namespace
}  // namespace lockstep::replications::tests
