// Every geometry of a rule file has the results of the sequential specification, and large states get the whole grid.

#include "experiments/rule_interpreter/rule_file_geometry.hpp"

#include <algorithm>

#include "tests/rule_interpreter/rule_files.hpp"

namespace lockstep::rule_interpreter::tests {
namespace {

class RuleFileGeometries : public RuleFiles {};

constexpr Geometry one_block = {.warps_per_state = 8};
constexpr Geometry grid_of_8 = {.warps_per_state = 8, .whole_grid = true};
constexpr Geometry grid_of_24 = {.warps_per_state = 24, .compacts = false, .whole_grid = true};

// Rules that read their neighbours: one writes a deferred column, one what the first left, one its own column. States
// of few and of many passes: a value sinks to that of the cell before it, at most to `state`.
std::string const chain =
    "parameter u32 size = 3;\n"
    "deferred column u32 a[size] = i % 7 + s.number;\n"
    "column f64 b[size];\n"
    "deferred column i32 c[size] = i;\n"
    "rule Sink over a { bool condition(State const& s, u32 i) { return i > 0 && s.a[i - 1] < s.a[i]; }\n"
    "bool evaluate(State& s, u32 i) { s.a.set(i, s.a[i - 1]); return true; } }\n"
    "rule Never over a { bool condition(State const& s, u32 i) { return s.a[i] > 100; }\n"
    "bool evaluate(State& s, u32 i) { s.a.set(i, 0); return true; } }\n"
    "rule Copy over b { bool condition(State const& s, u32 i) { return s.b[i] != 0.5 * s.a[i]; }\n"
    "bool evaluate(State& s, u32 i) { s.b.set(i, 0.5 * s.a[i]); return true; } }\n"
    "rule Shift over c { bool condition(State const& s, u32 i) { return i > 0 && s.c[i] > 0 && s.number % 2 == 1; }\n"
    "bool evaluate(State& s, u32 i) { s.c.set(i, s.c[i - 1]); return s.c[i - 1] != s.c[i]; } }\n";

TEST_F(RuleFileGeometries, TheWholeGridHasTheResultsOfTheSpecification) {
    RuleFile const file = parse_rule_file(chain, "own.rules");
    for (std::string const& size :
         cases<std::string>({"1", "31", "32", "33", "127", "128", "129", "1023", "1025"}, {"33"})) {
        for (bool const to_fixed_point : cases<bool>({false, true}, {true})) {
            Work work;
            work.states = 3;
            work.settings = {{"size", size}};
            work.passes = 12;  // some states are over after 7 passes, others not yet
            work.to_fixed_point = to_fixed_point;
            for (Geometry const& geometry : {one_block, grid_of_8, grid_of_24}) {
                if (under_thread_sanitizer && geometry != grid_of_8)
                    continue;
                work.geometry = geometry;
                run_everywhere(file, work);
            }
        }
    }
}

TEST_F(RuleFileGeometries, TheWholeGridEndsAtTheFixedPoint) {
    Work work;
    work.states = 2;
    work.settings = {{"vertices", "320"}, {"ring", "40"}};
    work.to_fixed_point = true;
    work.geometry = grid_of_8;
    for (unsigned const passes : cases<unsigned>({1u, 7u, 8u, 9u, 16u, 100u}, {9u})) {
        work.passes = passes;
        Results const results = run_everywhere(read_rule_file(rule_examples + "labels.rules"), work);
        EXPECT_EQ(results.last_change[0], std::min(passes, 20u));  // half a ring
    }
}

// Ranges that differ between states, some of them 0, and rules without deferred columns.
TEST_F(RuleFileGeometries, RangesDifferBetweenStatesOfTheGrid) {
    Work work;
    work.states = 5;
    work.settings = {{"most", cases<std::string>({"300"}, {"40"}).front()}};
    for (Geometry const& geometry : {grid_of_8, grid_of_24}) {
        work.geometry = geometry;
        EXPECT_EQ(run_everywhere(read_rule_file(rule_examples + "orders.rules"), work).digests.size(), 5u);
    }
}

TEST_F(RuleFileGeometries, OneLargeStateGetsTheWholeGrid) {
    if (under_thread_sanitizer)
        GTEST_SKIP() << "a large state takes minutes under ThreadSanitizer";
    Work work;
    work.settings = {{"values", "20000"}, {"load", "1"}};
    RuleFile const file = read_rule_file(rule_examples + "synthetic.rules");
    run_everywhere(file, work);
    work.machine = lockstep::tests::kernel_machine();
    Results const chosen = run_rules(file, work);
    EXPECT_EQ(chosen.variant, "grid");
    EXPECT_TRUE(chosen.geometry->whole_grid);
    work.kernels = KernelChoice::queue;
    Results const queue = run_rules(file, work);
    EXPECT_EQ(queue.variant, "queue");
    EXPECT_EQ(queue.geometry->warps_per_state, 8u);
    EXPECT_EQ(queue.digests, chosen.digests);
}

TEST_F(RuleFileGeometries, ErrorsOfTheGridHaveTheUsersLine) {
    Work work;
    work.machine = simt::Machine::emulator;
    work.geometry = grid_of_8;
    std::string const found = error_of_rules(
        "column u32 a[3];\nrule R over a {\n  bool condition(State const& s, u32 i) {\n    return s.a[i + 1] == 0; }\n"
        "  bool evaluate(State& s, u32 i) { return false; }\n}\n",
        work);
    EXPECT_TRUE(has(found, "cannot run own.rules (") && has(found, "at line 4")) << found;
}

Geometry plan(std::uint64_t states, std::uint64_t size, bool to_fixed_point = false) {
    Arguments a;
    a.states = states;
    a.sizes[1] = size;
    a.to_fixed_point = to_fixed_point ? 1 : 0;
    return planned_geometry(a, 1000);
}

TEST(RuleFilePlan, FewStatesGetManyWarps) {
    EXPECT_EQ(plan(1, 1), Geometry{});
    EXPECT_EQ(plan(1, 257), (Geometry{.warps_per_state = 2}));
    EXPECT_EQ(plan(1, 127 * 128), one_block);
    EXPECT_EQ(plan(1, 127 * 128 + 1), (Geometry{.warps_per_state = 128, .whole_grid = true}));
    EXPECT_EQ(plan(1, 100000000), (Geometry{.warps_per_state = 1000, .whole_grid = true}));
    EXPECT_EQ(plan(62, 100000000), (Geometry{.warps_per_state = 16, .whole_grid = true}));
    EXPECT_EQ(plan(63, 100000000), one_block);
    EXPECT_EQ(plan(1, 0xFFFFFFFF).warps_per_state, 1000u);
    EXPECT_EQ(plan(1000, 1000), Geometry{});
}

TEST(RuleFilePlan, CandidatesAreValidAndDiffer) {
    for (std::uint64_t const states : {1, 2, 62, 63, 125, 126, 1000, 2000, 100000}) {
        for (std::uint64_t const size : {1, 4, 65, 129, 2048, 100000}) {
            for (unsigned const to_fixed_point : {0u, 1u}) {
                Arguments a;
                a.states = states;
                a.sizes[0] = size;
                a.to_fixed_point = to_fixed_point;
                std::vector<Geometry> const all = candidate_geometries(a, 1000);
                EXPECT_EQ(all[0], planned_geometry(a, 1000));
                for (std::size_t i = 0; i < all.size(); ++i) {
                    Geometry const& g = all[i];
                    EXPECT_EQ(std::count(all.begin(), all.end(), g), 1);
                    EXPECT_TRUE(g.whole_grid ? g.warps_per_state % 8 == 0 : 8 % g.warps_per_state == 0);
                    EXPECT_TRUE(g.states_per_warp == 1 || (g.warps_per_state == 1 && to_fixed_point == 0));
                }
            }
        }
    }
}

TEST(RuleFilePlan, ManySmallStatesShareAWarp) {
    EXPECT_EQ(plan(1999, 4), Geometry{});
    EXPECT_EQ(plan(2000, 4), (Geometry{.states_per_warp = 2}));
    EXPECT_EQ(plan(100000, 4), (Geometry{.states_per_warp = 16}));
    EXPECT_EQ(plan(100000, 65), Geometry{});
    EXPECT_EQ(plan(100000, 4, true), Geometry{});
}

}  // namespace
}  // namespace lockstep::rule_interpreter::tests
