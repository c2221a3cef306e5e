// `lockstep simulate`, and what must hold in any tick of its programs.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "common/object_layout/infection.hpp"
#include "common/object_layout/nasch.hpp"
#include "common/object_layout/wator.hpp"
#include "experiments/object_layout/command.hpp"
#include "harness/bench/host_memory.hpp"
#include "tests/object_layout/variants.hpp"
#include "tests/support/tool.hpp"

namespace lockstep::object_layout::tests {
namespace {

class Simulate : public lockstep::tests::ToolTest {
protected:
    Simulate() : ToolTest("simulate", simulate_command) {}
};

TEST_F(Simulate, CountsTheSameOnEveryMachine) {
    for (char const* const program : {"wator", "infection", "nasch"}) {
        std::vector<std::string> words = {program, "--elements", "120", "--ticks", "12", "--seed", "3"};
        if (program != std::string("wator"))
            words.insert(words.end(), {"--streets", "9"});
        auto const counts_on = [&](char const* machine) {
            std::vector<std::string> all = words;
            all.insert(all.end(), {"--machine", machine});
            return csv_of(all);
        };
        std::string const counts = counts_on("cpu");
        EXPECT_EQ(counts_on("emulator"), counts);
        EXPECT_EQ(std::count(counts.begin(), counts.end(), '\n'), 14) << "a head, and 13 counts";
    }
}

TEST_F(Simulate, HelpNamesItsOwnPrograms) {
    std::string const help = this->help();
    for (char const* const other : {"jobs", "maps", "bodies", "families", "tracing", "traffic"})
        EXPECT_EQ(help.find(other), std::string::npos) << other << " in " << help;
    EXPECT_NE(help.find("OpenStreetMap"), std::string::npos);
}

TEST_F(Simulate, RefusesWhatTheMemoryDoesNotHold) {
    std::uint64_t const memory = bench::host_memory();
    if (memory == 0 || memory > 128ull << 30)
        GTEST_SKIP() << "2^31 elements may fit";
    EXPECT_NE(error_of({"wator", "--elements", "2147483647", "--ticks", "1", "--machine", "cpu"})
                  .find("cannot simulate 2147483647 elements"),
              std::string::npos);
}

TEST_F(Simulate, RefusesWhatDoesNotFit) {
    EXPECT_NE(error_of({"wolves"}).find("infection"), std::string::npos) << "the known programs are named";
    EXPECT_NE(error_of({"nasch", "--streets", "0"}).find("no street"), std::string::npos);
    EXPECT_NE(error_of({"wator", "--ticks", "2000000"}).find("at most 2^20 ticks"), std::string::npos);
    EXPECT_NE(error_of({"wator", "--network", "missing"}).find("no effect on wator"), std::string::npos);
    EXPECT_NE(error_of({"wator", "--streets", "9"}).find("no effect on wator"), std::string::npos);
    std::string const road = file("road.txt", "a b 4 50\n");
    EXPECT_NE(error_of({"nasch", "--network", road, "--elements", "5", "--machine", "cpu"}).find("5 vehicles, 4 cells"),
              std::string::npos);
    EXPECT_EQ(error_of({"nasch", "--network", road, "--elements", "4", "--machine", "cpu"}), "no error");
}

// A full dead end: nobody can ever move, because the first cell of the only street is taken.
TEST_F(Simulate, AFullRoadStandsStill) {
    bench::Problem const asked =
        problem({{"program", "nasch"}, {"network", file("road.txt", "a b 4 50\n")}, {"elements", "4"}, {"ticks", "9"}});
    History const history = vehicles_after(asked)->history;
    ASSERT_EQ(history.size(), 10u);
    for (std::vector<std::uint64_t> const& counts : history)
        EXPECT_EQ(counts, (std::vector<std::uint64_t>{4, 0, 0}));
}

TEST(Nasch, NoCellHasTwoVehicles) {
    for (char const* const ticks : {"1", "7", "40"}) {
        bench::Problem const asked =
            problem({{"program", "nasch"}, {"elements", "120"}, {"streets", "20"}, {"ticks", ticks}});
        std::shared_ptr<Simulated const> const after = vehicles_after(asked);
        std::set<std::pair<unsigned, unsigned>> cells;
        for (unsigned vehicle = 0; vehicle < 120; ++vehicle) {
            bench::UnitResult const result = after->result(vehicle);
            cells.emplace(result[0], result[1] >> 8);
            EXPECT_LE(result[1] & 255, max_velocity_of_car);
        }
        EXPECT_EQ(cells.size(), 120u);
        EXPECT_GT(after->history.back()[1], 0u) << "some vehicles move";
    }
}

TEST(Nasch, PlacesAndPrioritiesAreDistinct) {
    bench::Problem const asked = problem({{"program", "nasch"}, {"elements", "1000"}});
    AgentNumbering const placement = placement_of(asked, 1000);
    std::set<unsigned long long> cells;
    std::set<unsigned> priorities;
    for (unsigned number = 0; number < 1000; ++number) {
        cells.insert(cpu::number_at(placement, number));
        priorities.insert(cpu::priority_of(number, 17));
    }
    EXPECT_EQ(cells.size(), 1000u);
    EXPECT_EQ(*cells.rbegin(), 999u);
    EXPECT_EQ(priorities.size(), 1000u);
}

TEST(Infection, RisksFollowTheFormula) {
    std::array<unsigned, max_contacts + 1> const risks = infection_risks();
    EXPECT_EQ(risks[0], 0u);
    EXPECT_EQ(risks[1], 1u << 26) << "2^32 / 64";
    EXPECT_EQ(risks[2], 2 * (1u << 26) - (1u << 20)) << "2 p - p^2";
    EXPECT_TRUE(std::is_sorted(risks.begin(), risks.end()));
}

TEST(Infection, NobodyGetsLostAndTheDeadStayDead) {
    bench::Problem const asked =
        problem({{"program", "infection"}, {"elements", "2000"}, {"streets", "5"}, {"ticks", "60"}});
    History const history = people_after(asked)->history;
    for (std::size_t tick = 0; tick < history.size(); ++tick) {
        std::vector<std::uint64_t> const& counts = history[tick];
        EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}), 2000u);
        if (tick > 0) {
            EXPECT_LE(counts[0], history[tick - 1][0]) << "nobody becomes susceptible";
            EXPECT_GE(counts[3], history[tick - 1][3]);
        }
    }
    EXPECT_GT(history.back()[2] + history.back()[3], 1000u) << "it spreads";
    EXPECT_GT(history.back()[3], 0u) << "objects are deleted";
}

TEST(Wator, NeighboursAreMutual) {
    for (unsigned const cells : {1u, 2u, 7u, 100u}) {
        unsigned const width = sea_width(cells);
        EXPECT_LE(width * width, cells);
        EXPECT_GT((width + 1) * (width + 1), cells);
        for (unsigned cell = 0; cell < cells; ++cell) {
            for (unsigned direction = 0; direction < 4; ++direction) {
                unsigned const other = cpu::neighbour_cell(cell, direction, width, cells);
                ASSERT_LT(other, cells);
                EXPECT_EQ(cpu::neighbour_cell(other, direction ^ 2, width, cells), cell);
            }
        }
    }
}

TEST(Wator, FishAndSharksAreBornAndDie) {
    bench::Problem const asked = problem({{"program", "wator"}, {"elements", "2500"}, {"ticks", "80"}});
    std::shared_ptr<Simulated const> const sea = sea_after(asked);
    unsigned kinds[3] = {0, 0, 0};
    for (unsigned cell = 0; cell < 2500; ++cell)
        ++kinds[sea->result(cell)[0]];
    EXPECT_EQ(kinds[fish_cell], sea->history.back()[0]);
    EXPECT_EQ(kinds[shark_cell], sea->history.back()[1]);
    for (unsigned const state : {0u, 1u}) {
        bool grew = false;
        bool shrank = false;
        for (std::size_t tick = 1; tick < sea->history.size(); ++tick) {
            grew |= sea->history[tick][state] > sea->history[tick - 1][state];
            shrank |= sea->history[tick][state] < sea->history[tick - 1][state];
        }
        EXPECT_TRUE(grew && shrank) << state;
        EXPECT_GT(sea->history.back()[state], 0u) << "neither dies out";
    }
}

}  // namespace
}  // namespace lockstep::object_layout::tests
