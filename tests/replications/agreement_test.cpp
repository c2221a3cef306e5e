// Every scheme equals the sequential reference bit for bit, for every block, grid, team, engine and order of lanes.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "harness/bench/error.hpp"
#include "harness/simt/emulator/options.hpp"
#include "kernels/replications/team_choice.hpp"
#include "tests/replications/variants.hpp"
#include "tests/support/sanitizers.hpp"

namespace lockstep::replications::tests {
namespace {

// ThreadSanitizer uses a megabyte per lane and clocks with one entry per lane. These sizes still include teams of two
// and of four blocks.
constexpr unsigned max_lanes = lockstep::tests::under_thread_sanitizer ? 128 : 2048;
constexpr unsigned largest_block = lockstep::tests::under_thread_sanitizer ? 256 : 1024;

class Agreement : public lockstep::tests::OnMachines {
protected:
    bool agrees(bench::Problem const& asked) {
        return lockstep::tests::run_and_compare(experiment(), *GetParam(), asked) != nullptr;
    }
};

TEST_P(Agreement, AtTheEdgesOfWarps) {
    for (char const* const model : {"pi", "mm1", "walk"}) {
        for (std::uint64_t const replications : {0u, 1u, 31u, 32u, 33u}) {
            for (std::uint64_t const items : {0u, 1u, 33u}) {
                if (!lockstep::tests::under_thread_sanitizer || items == 33 || replications == 33)
                    agrees(problem(model, replications, items));
            }
        }
        agrees(problem(model, 130, 70));
    }
}

TEST_P(Agreement, WithEitherEngineAndAnyBlock) {
    for (char const* const model : {"pi", "mm1", "walk"}) {
        for (char const* const engine : {"taus88", "philox10"})
            agrees(problem(model, 5, 200, engine));
        for (unsigned block = 32; block <= largest_block; block += block < 128 ? 32 : block) {
            agrees(problem(model, 40, 65, "taus88", block));
        }
    }
}

TEST_P(Agreement, WithAnyNumberOfLanes) {
    for (char const* const model : {"pi", "mm1", "walk"}) {
        for (unsigned lanes = 1; lanes <= max_lanes; lanes *= 2)
            agrees(problem(model, 3, 1000, "taus88", 0, lanes));
        for (unsigned const lanes : {4u, 32u, 64u, std::min(256u, max_lanes)})
            agrees(problem(model, max_lanes > 128 ? 35 : 3, 100, "philox10", 32, lanes));
    }
}

// A replication does not depend on the other replications of a job. Sharding and stopping by precision rely on this.
TEST_P(Agreement, FromAnyFirstReplication) {
    for (char const* const model : {"pi", "mm1", "walk"}) {
        bench::Problem asked = problem(model, 3, 50);
        asked.first_unit = (std::uint64_t{1} << 33) + 5;
        agrees(asked);
    }
}

TEST_P(Agreement, AtTheEndsOfTheParameters) {
    for (char const* const utilisation : {"0.01", "0.5", "0.99"}) {
        bench::Problem asked = problem("mm1", 3, 2000);
        asked.axes.set("utilisation", utilisation);
        agrees(asked);
    }
    bench::Problem asked = problem("walk", 5, 1000);
    asked.axes.set("chunks", "4");
    agrees(asked);
}

TEST_P(Agreement, InEveryOrderOfLanes) {
    if (GetParam()->machine != bench::Machine::emulator)
        return;
    using simt::emulator::LaneOrder;
    for (LaneOrder const order : {LaneOrder::ascending, LaneOrder::descending, LaneOrder::random}) {
        simt::emulator::Options options;
        options.order = order;
        options.seed = 7;
        simt::emulator::ScopedOptions const scope(options);
        for (char const* const model : {"pi", "mm1", "walk"}) {
            for (unsigned const lanes : {0u, 8u, 64u, max_lanes})
                agrees(problem(model, 3, 300, "taus88", 0, lanes));
        }
        agrees(problem("walk", 3, 3000, "taus88", 0, 64));
        if (max_lanes >= 256)
            agrees(problem("walk", 2, 35000, "taus88", 128, 256));
    }
}

// Steps that really branch: on the chunk, or on a random way, with and without reads of memory.
TEST_P(Agreement, WithBranchingSteps) {
    auto const with = [](std::string const& model, std::uint64_t replications, std::uint64_t steps,
                         std::vector<std::pair<std::string, std::string>> const& axes) {
        bench::Problem asked = problem(model, replications, steps);
        for (auto const& [axis, value] : axes)
            asked.axes.set(axis, value);
        return asked;
    };
    for (char const* const chunks : {"4", "30"}) {
        if (GetParam()->name != "cooperative")
            agrees(with("chunk_walk", 35, 300, {{"chunks", chunks}, {"rounds", "2"}}));
    }
    for (char const* const ways : {"1", "2", "31", "64"})
        agrees(with("branches", 35, 100, {{"ways", ways}, {"rounds", "3"}}));
    agrees(with("branches", 3, 0, {}));
    agrees(with("branches", 33, 20, {{"rounds", "0"}, {"loads", "3"}}));
}

INSTANTIATE_TEST_SUITE_P(Variants, Agreement, testing::ValuesIn(variants_under_test()),
                         [](auto const& of) { return test_name(*of.param); });

class Schemes : public testing::Test {
protected:
    void SetUp() override {
        if (!why_not_here().empty())
            GTEST_SKIP() << why_not_here();
    }
};

// The paper's index gives two warps the same number if the block is not a multiple of 32 threads, and it ignores the
// grid's z dimension.
TEST_F(Schemes, WarpsAreNumberedInAnyGrid) {
    for (simt::Dim3 const grid :
         {simt::Dim3{1, 1, 1}, simt::Dim3{3, 1, 1}, simt::Dim3{2, 3, 2}, simt::Dim3{1, 1, 40}}) {
        for (unsigned const block : {1u, 31u, 32u, 33u, 48u, 100u}) {
            if (lockstep::tests::under_thread_sanitizer && block != 31 && block != 48)
                continue;
            for (Model const model : models) {
                Job const asked = job(model, 37, 20);
                std::vector<bench::UnitResult> const right = expected(asked);
                SCOPED_TRACE(std::string(to_string(model)) + " block " + std::to_string(block));
                EXPECT_EQ(run(*make_lanes(asked, 1, block, grid), asked), right);
                EXPECT_EQ(run(*make_warps_macros(asked, block, grid), asked), right);
                EXPECT_EQ(run(*make_warps_woven(asked, block, grid), asked), right);
                EXPECT_EQ(run(*make_warps_advised(asked, block, grid), asked), right);
                EXPECT_EQ(run(*make_warps_policy(asked, block, grid), asked), right);
                EXPECT_EQ(run(*make_threads(asked, block, grid), asked), right);
            }
        }
    }
}

TEST_F(Schemes, LanesTakeAnyGridOfWholeWarps) {
    Job const asked = job(Model::walk, 200, 40);
    std::vector<bench::UnitResult> const right = expected(asked);
    for (unsigned lanes = 1; lanes <= 32; lanes *= 2) {
        EXPECT_EQ(run(*make_lanes(asked, lanes, 96, {1, 2, 1}), asked), right) << lanes;
        EXPECT_EQ(run(*make_lanes(asked, lanes, 32, {1, 1, 1}), asked), right) << lanes;
    }
}

// Points of different sizes in one job, and a repeated launch, whose block counters continue.
TEST_F(Schemes, ADesignOfExperimentsIsOneJob) {
    for (Model const model : models) {
        Job asked = job(model, 6, 100);
        asked.points = {make_point(model, 100, 0.5, 30), make_point(model, 0, 0.9, 4), make_point(model, 333, 0.3, 4)};
        std::vector<bench::UnitResult> const right = expected(asked);
        EXPECT_EQ(run(*make_threads(asked, 64), asked), right);
        EXPECT_EQ(run(*make_lanes(asked, 4, 64), asked), right);
        for (Team const& team : {Team{1, 0}, Team{8, 0}, Team{32, 64}, Team{64, 32}, Team{256, 0}, Team{256, 64}}) {
            if (team.lanes > max_lanes)
                continue;
            std::unique_ptr<bench::Case> const made = make_cooperative(asked, team);
            for (int launch = 0; launch < 3; ++launch)
                EXPECT_EQ(run(*made, asked), right) << team.lanes;
        }
    }
}

// More blocks than a warp has lanes, and so many lanes that each jumps twice.
TEST_F(Schemes, TeamsHaveManyBlocks) {
    if (max_lanes == 128)
        GTEST_SKIP() << "too many lanes";
    for (Model const model : models) {
        Job const asked = job(model, 1, 20000);
        std::vector<bench::UnitResult> const right = expected(asked);
        for (Team const& team : {Team{2048, 32}, Team{8192, 128}}) {
            std::unique_ptr<bench::Case> const made = make_cooperative(asked, team);
            for (int launch = 0; launch < 2; ++launch)
                EXPECT_EQ(run(*made, asked), right) << team.lanes;
        }
    }
}

// A team simulates its runs of customers from an empty system and corrects them up to the first idle time of the true
// path. Loads on both sides of the limit of 32-bit gaps, runs in which the server is never idle, and runs longer than
// the idle times that a lane keeps.
TEST_F(Schemes, CorrectedRunsOfCustomersAreExact) {
    for (double const utilisation : {0.01, 0.19, 0.21, 0.5, 0.75, 0.9, 0.99}) {
        for (std::uint64_t seed = 1; seed <= (max_lanes > 128 ? 6u : 1u); ++seed) {
            Job asked = job(Model::mm1, 3, 700);
            asked.seed = seed;
            asked.points = {make_point(Model::mm1, 701, utilisation, 30)};
            std::vector<bench::UnitResult> const right = expected(asked);
            for (Team const& team : {Team{1, 0}, Team{2, 0}, Team{8, 0}, Team{32, 32}, Team{128, 0}, Team{128, 32}})
                EXPECT_EQ(run(*make_cooperative(asked, team), asked), right) << utilisation << " " << team.lanes;
        }
    }
}

// Queues that are too long for 32 bits, which the middle of a run enters and leaves.
TEST_F(Schemes, LongQueuesAreExact) {
    constexpr unsigned clients = 40000;
    Job asked = job(Model::mm1, 6, 0);
    asked.points = {make_point(Model::mm1, clients, 0.99, 30)};
    std::vector<bench::UnitResult> const right = expected(asked);
    double longest = 0;
    for (bench::UnitResult const& result : right)
        longest = std::max(longest, std::ldexp(static_cast<double>(std::uint64_t{result[5]} << 32 | result[4]),
                                               -static_cast<int>(time_fraction_bits)) /
                                        20000);
    EXPECT_GT(longest, 64) << "the mean time in the system: only then is some queue longer than 32 bits hold";
    for (Team const& team : {Team{1, 0}, Team{32, 0}, Team{128, 0}})
        EXPECT_EQ(run(*make_cooperative(asked, team), asked), right) << team.lanes;
    EXPECT_EQ(run(*make_threads(asked, 32), asked), right);
}

// Runs that are shorter and longer than those whose directions a lane draws, and than those that it keeps, with and
// without the table of steps.
TEST_F(Schemes, KeptDirectionsAreExact) {
    for (unsigned const chunks : {4u, 30u}) {
        for (unsigned const steps : {11u, 12u, 23u, 24u, 25u, 71u, 72u, 73u, 84u, 479u, 480u, 481u, 1001u}) {
            Job asked = job(Model::walk, 3, 0);
            asked.points = {make_point(Model::walk, steps * 2, 0.75, chunks)};
            std::vector<bench::UnitResult> const right = expected(asked);
            for (Team const& team : {Team{1, 0}, Team{2, 0}, Team{64, 64}, Team{64, 32}})
                EXPECT_EQ(run(*make_cooperative(asked, team), asked), right) << steps << " " << team.lanes;
        }
    }
}

// Runs that end in the windows that a lane starts from, in each word of a group of four, at the end of the kept words
// and after it; last lanes with fewer steps, with one and with none. Points of a job have as many steps as they like.
TEST_F(Schemes, LongRunsOfTheWalkAreExact) {
    for (unsigned const run : {23u,  24u,  25u,  59u,  60u,  61u,  83u,  84u,  97u,  107u, 108u, 109u,
                               479u, 480u, 481u, 491u, 492u, 493u, 504u, 539u, 540u, 541u, 1001u}) {
        // Runs that are one longer or shorter are for results, not for races.
        if (lockstep::tests::under_thread_sanitizer && run % 12 != 0 && run % 7 != 0)
            continue;
        for (Team const& team : {Team{64, 64}, Team{128, 128}, Team{256, 128}, Team{64, 32}}) {
            if (team.lanes > max_lanes)
                continue;
            unsigned const all = run * team.lanes;
            Job asked = job(Model::walk, 1, 0);
            asked.points = {make_point(Model::walk, all, 0.75, 30)};
            for (unsigned const fewer : {1u, run - 1, run, run + 5})
                asked.points.push_back(make_point(Model::walk, all - fewer, 0.75, 30));
            asked.points.push_back(make_point(Model::walk, 0, 0.75, 30));
            std::vector<bench::UnitResult> const right = expected(asked);
            std::unique_ptr<bench::Case> const made = make_cooperative(asked, team);
            for (int launch = 0; launch < 2; ++launch)
                EXPECT_EQ(tests::run(*made, asked), right) << run << " " << team.lanes << " " << team.block;
        }
    }
}

TEST_F(Schemes, LongRunsTakeTheChunksOfEachPoint) {
    for (Engine const engine : {Engine::taus88, Engine::philox10}) {
        Job asked = job(Model::walk, 2, 0);
        asked.engine = engine;
        asked.points = {make_point(Model::walk, 3000, 0.75, 30), make_point(Model::walk, 2000, 0.75, 4)};
        EXPECT_FALSE(is_long_walk(asked, {64, 64}));
        EXPECT_EQ(run(*make_cooperative(asked, {64, 64}), asked), expected(asked));
        asked.points.pop_back();
        EXPECT_EQ(is_long_walk(asked, {64, 64}), engine == Engine::taus88);
        EXPECT_FALSE(is_long_walk(asked, {64, 32})) << "its blocks and their tables may not all be resident";
        EXPECT_FALSE(is_long_walk(asked, {256, 256})) << "short runs";
        EXPECT_FALSE(is_long_walk(asked, {32, 32}));
    }
}

TEST_F(Schemes, TeamsThatDoNotFitAreRejected) {
    EXPECT_THROW(make_cooperative(job(Model::chunk_walk, 3, 10), {}), bench::Error);
    EXPECT_THROW(make_cooperative(job(Model::walk, 1, 10), {3, 0}), bench::Error);
    EXPECT_THROW(make_cooperative(job(Model::walk, 1, 10), {64, 48}), bench::Error);
    EXPECT_THROW(make_cooperative(job(Model::mm1, 100000, 10), {4096, 0}), bench::Error);
    EXPECT_NO_THROW(make_cooperative(job(Model::pi, 100, 10), {4096, 0}));
}

}  // namespace
}  // namespace lockstep::replications::tests
