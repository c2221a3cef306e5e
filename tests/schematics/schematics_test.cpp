// The recordings behind the papers' schematic figures have the figures' properties, are the same in every lane order
// and equal the committed files.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>

#include "experiments/object_layout/experiment.hpp"
#include "experiments/random_grids/experiment.hpp"
#include "experiments/replications/experiment.hpp"
#include "experiments/rule_interpreter/experiment.hpp"
#include "harness/bench/atomic_file.hpp"
#include "harness/cli/trace_command.hpp"
#include "harness/simt/emulator/options.hpp"

namespace lockstep::cli {
namespace {

using simt::emulator::LaneOrder;
using simt::emulator::Options;
using simt::emulator::ScopedOptions;
using simt::emulator::TraceEvent;

std::vector<SchematicSource> const sources = {
    {"object_layout", object_layout::schematics},
    {"random_grids", random_grids::schematics},
    {"replications", replications::schematics},
    {"rule_interpreter", rule_interpreter::schematics},
};

Schematic find(std::string const& experiment, std::string const& figure, std::string const& panel = "") {
    for (SchematicSource const& source : sources) {
        if (source.experiment != experiment)
            continue;
        for (Schematic const& schematic : source.record()) {
            if (schematic.figure == figure && schematic.panel == panel)
                return schematic;
        }
    }
    throw std::runtime_error("no schematic " + experiment + " " + figure + " " + panel);
}

std::vector<TraceEvent> labelled(Schematic const& schematic, std::string const& label) {
    std::vector<TraceEvent> found;
    for (TraceEvent const& event : schematic.events) {
        if (event.label == label)
            found.push_back(event);
    }
    return found;
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
    Schematic const schematic = find("object_layout", "figure4");
    std::map<unsigned, std::vector<long long>> warps;
    for (TraceEvent const& event : labelled(schematic, "job")) {
        auto& warp = warps[event.lane / 4];
        warp.resize(4, -1);
        warp[event.lane % 4] = event.index;
    }
    std::map<unsigned, std::vector<long long>> const expected{
        {0, {0, 4, 6, 9}}, {1, {10, 11, -1, -1}}, {2, {1, 2, 5, 7}}, {3, {8, -1, -1, -1}}, {4, {3, -1, -1, -1}}};
    EXPECT_EQ(warps, expected);
    std::map<unsigned, std::set<long long>> classes;
    for (TraceEvent const& event : labelled(schematic, "class"))
        classes[event.lane / 4].insert(event.index);
    std::map<unsigned, std::set<long long>> const one_each{{0, {0}}, {1, {0}}, {2, {1}}, {3, {1}}, {4, {2}}};
    EXPECT_EQ(classes, one_each);
}

TEST(Schematics, ObjectsAreApartOnlyInTheArrayOfStructures) {
    Schematic const rows = find("object_layout", "figure5", "array of structures");
    Schematic const columns = find("object_layout", "figure5", "structure of arrays");
    for (unsigned field = 0; field < 3; ++field) {  // Car.move does not read the class
        std::set<long long> apart;
        std::set<long long> together;
        for (unsigned car = 0; car < 8; ++car) {
            apart.insert(4 * car + field);
            together.insert(8 * field + car);
        }
        EXPECT_EQ(touched(rows, 0, field, "access"), apart);
        EXPECT_EQ(touched(columns, 0, field, "access"), together);
    }
}

TEST(Schematics, WarpsTakeTurnsAsInFigure1) {
    Schematic const schematic = find("replications", "figure1", "turns of the warps");
    std::map<long long, std::pair<unsigned, unsigned>> turns;  // the warp and its step
    for (TraceEvent const& event : schematic.events) {
        EXPECT_EQ(event.lane, 0u);
        EXPECT_TRUE(turns.emplace(event.index, std::pair(event.warp, event.step)).second) << event.index;
    }
    ASSERT_EQ(turns.size(), 4u * 6);
    for (auto const& [turn, taken] : turns)
        EXPECT_EQ(taken, std::pair(static_cast<unsigned>(turn) % 4, static_cast<unsigned>(turn) / 4)) << turn;
}

TEST(Schematics, NeighboursAreThoseOfFigure6) {
    std::map<unsigned, std::vector<long long>> neighbours;
    std::map<unsigned, std::vector<long long>> elements;
    Schematic const schematic = find("object_layout", "figure6");
    for (TraceEvent const& event : labelled(schematic, "neighbour"))
        neighbours[event.lane].push_back(event.index);
    for (TraceEvent const& event : labelled(schematic, "contents"))
        elements[event.lane].push_back(event.index);
    std::map<unsigned, std::vector<long long>> const expected{{0, {2}}, {1, {1, 3}}, {2, {1, 2, 5}}};
    std::map<unsigned, std::vector<long long>> const where{{0, {3}}, {1, {9, 10}}, {2, {0, 1, 2}}};
    EXPECT_EQ(neighbours, expected);
    EXPECT_EQ(elements, where);
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
    std::vector<TraceEvent> const enabled = labelled(schematic, "enabled");
    std::vector<TraceEvent> const evaluated = labelled(schematic, "evaluate");
    EXPECT_GT(enabled.size(), 32u);  // else all would be one warp's work
    EXPECT_LE(enabled.size(), 64u);  // else no warp would be free
    ASSERT_EQ(enabled.size(), evaluated.size());
    // Events are in the order of warps and lanes: thread k of the group evaluates enabled value k.
    for (unsigned k = 0; k < evaluated.size(); ++k) {
        EXPECT_EQ(evaluated[k].warp * 32 + evaluated[k].lane, k);
        EXPECT_EQ(evaluated[k].index, enabled[k].index);
    }
}

TEST(Schematics, WithoutCompactionEachLaneEvaluatesItsOwnValue) {
    Schematic const schematic = find("rule_interpreter", "figure1");
    std::vector<TraceEvent> enabled = labelled(schematic, "enabled");
    std::vector<TraceEvent> const evaluated = labelled(schematic, "evaluate");
    ASSERT_EQ(enabled.size(), evaluated.size());
    for (TraceEvent& event : enabled)
        event.label = "evaluate";
    EXPECT_EQ(enabled, evaluated);
    EXPECT_EQ(labelled(schematic, "condition").size(), 2u * 3 * 32);
}

TEST(Schematics, OneLanePerWarpNeverDiverges) {
    auto const diverging_steps = [](Schematic const& schematic) {
        std::map<std::pair<unsigned, unsigned>, std::set<std::string>> branches;
        for (TraceEvent const& event : schematic.events) {
            branches[{event.warp, event.step}].insert(event.label);
        }
        return std::count_if(branches.begin(), branches.end(),
                             [](auto const& entry) { return entry.second.size() > 1; });
    };
    EXPECT_EQ(diverging_steps(find("replications", "figure2", "a warp per replication")), 0);
    EXPECT_EQ(diverging_steps(find("replications", "figure2", "a thread per replication")), 12);
}

TEST(Schematics, TheBoardHas71BlackAnd70WhitePieces) {
    Schematic const schematic = find("random_grids", "board");
    EXPECT_EQ(labelled(schematic, "black").size(), 71u);
    EXPECT_EQ(labelled(schematic, "white").size(), 70u);
    std::set<long long> sites;
    for (TraceEvent const& event : schematic.events) {
        EXPECT_EQ(event.index / 15, event.lane);
        EXPECT_TRUE(sites.insert(event.index).second) << event.index;
    }
}

TEST(Schematics, TheWordsOfADrawGiveHalfOfTheBits) {
    std::map<unsigned, std::uint32_t> words;
    for (TraceEvent const& event : find("random_grids", "steps").events)
        words[event.step] |= 1u << event.index;
    std::uint32_t candidates = 0xFFFFFFFF;
    std::uint32_t set = 0;
    for (auto const& [step, word] : words) {
        EXPECT_NE(std::popcount(set), 16) << "step " << step;
        std::uint32_t const selected = candidates & word;
        if (std::popcount(set | selected) <= 16) {
            set |= selected;
            candidates &= ~selected;
        } else {
            candidates = selected;
        }
    }
    EXPECT_EQ(std::popcount(set), 16);
}

TEST(Schematics, AreTheSameInEveryLaneOrder) {
    for (SchematicSource const& source : sources) {
        std::vector<Schematic> const plain = source.record();
        for (LaneOrder const order : {LaneOrder::descending, LaneOrder::random}) {
            ScopedOptions const scope(Options{order, 4, 2, 60});
            std::vector<Schematic> const other = source.record();
            ASSERT_EQ(other.size(), plain.size());
            for (std::size_t i = 0; i < plain.size(); ++i)
                EXPECT_EQ(other[i].events, plain[i].events) << plain[i].figure << plain[i].panel;
        }
    }
}

TEST(Schematics, EqualTheCommittedTraces) {
    auto const folder = std::filesystem::temp_directory_path() / ("lockstep_schematics_" + std::to_string(getpid()));
    std::string const out = folder.string();
    char const* const arguments[] = {"trace", "--out", out.c_str()};
    ASSERT_EQ(trace_command(sources, "nowhere", 3, arguments), 0);
    for (SchematicSource const& source : sources) {
        std::string const name = source.experiment + ".json";
        EXPECT_EQ(bench::read_file(folder / name), bench::read_file(std::filesystem::path("results/schematics") / name))
            << "run ./lockstep trace to write the traces anew";
    }
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace lockstep::cli
