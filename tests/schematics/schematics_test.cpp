// The traces behind the papers' schematic figures: what is known of the figures, the same in every lane order, and
// equal to the committed files.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "harness/bench/atomic_file.hpp"
#include "harness/cli/schematic.hpp"
#include "harness/simt/emulator/options.hpp"

namespace lockstep::schematics {
namespace {

using simt::emulator::LaneOrder;
using simt::emulator::Options;
using simt::emulator::ScopedOptions;
using simt::emulator::TraceEvent;

Schematic find(std::string const& experiment, std::string const& figure, std::string const& panel = "") {
    for (Schematic const& schematic : all_schematics()) {
        if (schematic.experiment == experiment && schematic.figure == figure && schematic.panel == panel) {
            return schematic;
        }
    }
    throw std::runtime_error("no schematic " + experiment + " " + figure + " " + panel);
}

// Elements that one warp touches in one step, by label.
std::set<long long> touched(Schematic const& schematic, unsigned warp, unsigned step, std::string const& label) {
    std::set<long long> indices;
    for (TraceEvent const& event : schematic.events) {
        if (event.warp == warp && event.step == step && event.label == label) {
            indices.insert(event.index);
        }
    }
    return indices;
}

bool contiguous(std::set<long long> const& indices) {
    return *indices.rbegin() - *indices.begin() + 1 == static_cast<long long>(indices.size());
}

TEST(Schematics, JobsAreReorderedAsInFigure4) {
    // C P P B C P C P P C C C becomes 0 4 6 9 | 10 11 - - | 1 2 5 7 | 8 - - - | 3 - - -.
    std::map<unsigned, std::vector<int>> warps;
    for (TraceEvent const& event : find("object_layout", "figure4").events) {
        if (event.label == "place") {
            auto& warp = warps[event.step - 1];
            warp.resize(4, -1);
            warp[static_cast<std::size_t>(event.index)] = static_cast<int>(event.lane);
        }
    }
    std::map<unsigned, std::vector<int>> const expected{
        {0, {0, 4, 6, 9}}, {1, {10, 11, -1, -1}}, {2, {1, 2, 5, 7}}, {3, {8, -1, -1, -1}}, {4, {3, -1, -1, -1}}};
    EXPECT_EQ(warps, expected);
}

TEST(Schematics, LayoutsDifferInWhatIsContiguous) {
    auto const group = [](Schematic const& schematic) {
        std::set<long long> all;
        for (unsigned warp = 0; warp < 3; ++warp) {
            all.merge(touched(schematic, warp, 0, "condition"));
        }
        return all;
    };
    Schematic const a = find("rule_interpreter", "figure5", "layout A");
    Schematic const b = find("rule_interpreter", "figure5", "layout B");
    Schematic const c = find("rule_interpreter", "figure6", "layout C");
    EXPECT_TRUE(contiguous(touched(a, 1, 0, "condition")));
    EXPECT_FALSE(contiguous(group(a)));
    EXPECT_FALSE(contiguous(touched(b, 1, 0, "condition")));
    EXPECT_TRUE(contiguous(touched(c, 1, 0, "condition")));
    EXPECT_TRUE(contiguous(group(c)));
}

TEST(Schematics, CompactionLosesAndRepeatsNothing) {
    Schematic const schematic = find("rule_interpreter", "figure2");
    auto const count = [&](std::string const& label) {
        return std::count_if(schematic.events.begin(), schematic.events.end(),
                             [&](TraceEvent const& event) { return event.label == label; });
    };
    EXPECT_GT(count("enabled"), 0);
    EXPECT_EQ(count("enabled"), count("evaluate"));
    std::set<long long> evaluated;
    for (TraceEvent const& event : schematic.events) {
        if (event.label == "evaluate") {
            EXPECT_TRUE(evaluated.insert(event.index).second);
            EXPECT_LT(event.warp * 32 + event.lane, count("enabled"));  // the first lanes work, the last warps are free
        }
    }
}

TEST(Schematics, OneLaneAWarpNeverDiverges) {
    auto const diverging_steps = [](Schematic const& schematic) {
        std::map<std::pair<unsigned, unsigned>, std::set<std::string>> branches;
        for (TraceEvent const& event : schematic.events) {
            branches[{event.warp, event.step}].insert(event.label);
        }
        return std::count_if(branches.begin(), branches.end(),
                             [](auto const& entry) { return entry.second.size() > 1; });
    };
    EXPECT_EQ(diverging_steps(find("replications", "figure2", "a warp a replication")), 0);
    EXPECT_EQ(diverging_steps(find("replications", "figure2", "a thread a replication")), 12);
}

TEST(Schematics, AreTheSameInEveryLaneOrder) {
    std::vector<Schematic> const plain = all_schematics();
    for (LaneOrder const order : {LaneOrder::descending, LaneOrder::random}) {
        ScopedOptions const scope(Options{order, 4, 2, 60});
        std::vector<Schematic> const other = all_schematics();
        ASSERT_EQ(other.size(), plain.size());
        for (std::size_t i = 0; i < plain.size(); ++i) {
            EXPECT_EQ(other[i].events, plain[i].events) << plain[i].figure << plain[i].panel;
        }
    }
}

TEST(Schematics, CommittedTracesAreThese) {
    auto const folder = std::filesystem::temp_directory_path() / ("lockstep_schematics_" + std::to_string(getpid()));
    std::string const out = folder.string();
    char const* const arguments[] = {"trace", "--out", out.c_str()};
    ASSERT_EQ(trace_command("nowhere", 3, arguments), 0);
    for (char const* const experiment : {"rule_interpreter", "object_layout", "replications"}) {
        std::string const name = std::string(experiment) + ".json";
        EXPECT_EQ(bench::read_file(folder / name), bench::read_file(std::filesystem::path("results/schematics") / name))
            << "run ./lockstep trace to write the traces anew";
    }
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace lockstep::schematics
