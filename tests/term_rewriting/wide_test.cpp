// The options of the engine `fast` for terms with much parallelism: a ramp without exchange, rounds that end together,
// and steps that go on after a short call. Linked with the machine that runs it.

#include "common/term_rewriting/workload.hpp"
#include "harness/simt/emulator/options.hpp"
#include "kernels/term_rewriting/fast/engine.hpp"
#include "tests/support/machines.hpp"
#include "tests/term_rewriting/common.hpp"
#include "tests/term_rewriting/fast_options.hpp"
#include "tests/term_rewriting/random_system.hpp"

namespace lockstep::term_rewriting {
namespace {

using fast::FastEngine;
using fast::Measures;
using simt::emulator::LaneOrder;

fast::Options wide() { return fast::wide_options(fast::options_for(lockstep::tests::kernel_machine())); }

class Wide : public testing::Test {
protected:
    void SetUp() override {
        if (!lockstep::tests::why_not_here().empty())
            GTEST_SKIP() << lockstep::tests::why_not_here();
    }
};

// Runs the engine twice, as memory that the first run used must not matter, and expects the oracle's results.
Measures expect_equal_results(System const& system, Terms const& terms, TermId input, fast::Options const& options,
                              std::string const& what, Limits const& limits = test_limits()) {
    std::unique_ptr<Engine> const oracle = make_oracle(system);
    Ran const expected = run_engine(*oracle, terms, input);
    FastEngine engine(system, jit::device_of(lockstep::tests::kernel_machine()), options);
    engine.load(terms, input);
    for (unsigned run = 0; run < 2; ++run) {
        Outcome const outcome = engine.run(limits);
        EXPECT_EQ(outcome.end, End::finished) << what;
        if (outcome.end != End::finished)
            return {};
        EXPECT_EQ(outcome.applications, expected.outcome.applications) << what;
        EXPECT_EQ(engine.normal_form_digest(), digest_of(expected.terms, expected.normal_form)) << what;
    }
    return engine.measures();
}

struct Input {
    System system;
    Terms terms;
    TermId term;
};

Input workload(char const* name, unsigned depth, unsigned elements) {
    Workload workload;
    workload.system = name;
    workload.depth = depth;
    workload.elements = elements;
    Input input = {system_of(workload), {}, 0};
    input.term = make_input(input.system, workload, input.terms);
    return input;
}

// A tree with as many leaves as the ramp has lanes: every warp gets work, and nothing is left to share.
TEST_F(Wide, ARampGivesEveryLaneACall) {
    Input const tree = workload("transformation_tree", 7, 1);
    fast::Options options = wide();
    options.blocks = options.first_blocks = 2;
    options.block = 64;
    options.cooperative = true;
    options.turns_startup = options.turns_spreading = options.turns_steady = 2;
    Measures const measures = expect_equal_results(tree.system, tree.terms, tree.term, options, "ramp");
    EXPECT_EQ(measures.warps_with_work, 4u);
    EXPECT_EQ(measures.splits, 0u);
    options.ramp_steps = 0;
    EXPECT_NE(expect_equal_results(tree.system, tree.terms, tree.term, options, "no ramp").splits, 0u);
}

// Groups of two calls and of three, calls of very different size, elements of walks, a term without a group, and more
// calls than lanes.
TEST_F(Wide, ARampOfAnyGroups) {
    std::string const rules =
        "sort Nat = Zero() | S(Nat) | Plus(Nat, Nat) | F(Nat); List = Nil() | Cons(Nat, List) | Map(List) | "
        "Make(Nat);\n"
        "Tree = Leaf(Nat) | Three(Tree, Tree, Tree) | Grow(Nat) | Skewed(Nat); var X, Y : Nat; L : List;\n"
        "eqn Plus(Zero(), Y) = Y; Plus(S(X), Y) = S(Plus(X, Y)); F(Zero()) = S(Zero()); F(S(X)) = Plus(F(X), F(X));\n"
        "Map(Nil()) = Nil(); Map(Cons(X, L)) = Cons(F(X), Map(L)); Make(Zero()) = Nil();\n"
        "Make(S(X)) = Cons(X, Make(X)); Grow(Zero()) = Leaf(F(Zero()));\n"
        "Grow(S(X)) = Three(Grow(X), Leaf(F(X)), Grow(X)); Skewed(Zero()) = Leaf(Zero());\n"
        "Skewed(S(X)) = Three(Leaf(Plus(X, X)), Skewed(X), Leaf(F(S(S(Zero())))));\n";
    for (std::string const input :
         {"F(S(S(S(S(Zero())))))", "Grow(S(S(S(S(S(Zero()))))))", "Skewed(S(S(S(S(Zero())))))",
          "Map(Make(S(S(S(S(Zero()))))))", "Zero()", "S(Zero())", "Plus(S(Zero()), Zero())"}) {
        System const system = parse_text(rules + "input " + input + ";");
        for (bool const walks : {false, true}) {
            for (auto const& [blocks, block] : {std::pair{1u, 32u}, {3u, 32u}, {2u, 64u}}) {
                fast::Options options = walks ? fast::wide_options(fast::walking_options(wide())) : wide();
                options.blocks = options.first_blocks = blocks;
                options.block = block;
                options.ramp_even = block == 64;
                options.ramp_steps = block == 64 ? 1 : 32;
                options.cooperative = true;
                expect_equal_results(system, system.terms, system.inputs[0], options, input);
            }
        }
    }
}

TEST_F(Wide, EveryOrderGivesTheSameResults) {
    std::vector<Input> inputs;
    inputs.push_back(workload("transformation_tree", 6, 1));
    inputs.push_back(workload("tree_merge_sort", 3, 4));
    inputs.push_back(workload("queens", 1, sanitized ? 2 : 4));
    inputs.push_back(workload("quick_sort", 1, sanitized ? 4 : 12));
    bool const emulated = lockstep::tests::kernel_machine() == simt::Machine::emulator;
    for (LaneOrder const order : {LaneOrder::ascending, LaneOrder::descending, LaneOrder::random, LaneOrder::unfair}) {
        if (shortened && !emulated && order != LaneOrder::random)
            continue;  // a GPU has its own order
        for (std::uint64_t seed = 0; seed < (emulated && !sanitized ? 2 : 1); ++seed) {
            simt::emulator::Options scope_options;
            scope_options.order = order;
            scope_options.seed = seed;
            simt::emulator::ScopedOptions const scope(scope_options);
            for (Input const& input : inputs) {
                fast::Options options = wide();
                options.max_roots = 1;
                options.repeats = seed == 0 ? 1 : 8;
                options.ends_after = seed == 0 ? 1 : 16;
                options.cooperative = true;
                options.blocks = options.first_blocks = 3;
                options.block = 64;
                options.slice_rounds = 64;
                expect_equal_results(input.system, input.terms, input.term, options, "seed " + std::to_string(seed));
            }
        }
    }
}

// What a ramp leaves in the granules of lanes that do not lead is garbage, and the cells of the ramp survive.
TEST_F(Wide, ARampSurvivesCollections) {
    System const system = parse_text(
        "sort Nat = Zero() | S(Nat) | Copy(Nat) | Again(Nat, Nat); Tree = Grow(Nat) | Grow2(Nat) | Node(Tree, Tree) |\n"
        "Leaf(Nat); "
        "var X, Y : Nat; eqn Copy(Zero()) = Zero(); Copy(S(X)) = S(Copy(X)); Again(Zero(), Y) = Y;\n"
        "Again(S(X), Y) = Again(X, Copy(Y)); Grow(S(X)) = Node(Grow(X), Grow2(X));\n"
        "Grow2(Zero()) = Grow(Zero()); Grow2(S(X)) = Node(Grow(X), Grow2(X)); "
        "Grow(Zero()) = Leaf(Again(S(S(S(S(S(S(S(S(Zero())))))))), S(S(S(S(S(S(S(S(S(S(S(S(Zero()))))))))))))));\n"
        "input Grow(S(S(S(S(S(S(S(S(Zero())))))))));\n");
    for (unsigned const loops : {1u, 8u}) {
        fast::Options options = wide();
        options.loops = loops;
        options.blocks = options.first_blocks = 1;
        options.block = 32;
        Limits limits = test_limits();
        limits.memory = 400 << 10;
        EXPECT_GE(expect_equal_results(system, system.terms, system.inputs[0], options, "copies", limits).collections,
                  1u);
    }
}

// The step that awaits a comparison is part of the step that makes it.
TEST_F(Wide, AStepGoesOnAfterAShortCall) {
    Input const sort = workload("tree_merge_sort", 4, 5);
    fast::Options options = wide();
    options.ramp_steps = 0;
    std::uint64_t lane_turns[2];
    for (bool const returns : {false, true}) {
        options.returns = returns;
        lane_turns[returns] = expect_equal_results(sort.system, sort.terms, sort.term, options, "sort").lane_turns;
    }
    EXPECT_LT(10 * lane_turns[1], 9 * lane_turns[0]);
}

// Every system is compiled, so each is a test.
class WideRandomSystem : public Wide, public testing::WithParamInterface<unsigned> {};

TEST_P(WideRandomSystem, EqualsTheOracle) {
    unsigned const seed = GetParam();
    Repeat const repeat = seed % 2 == 0 ? Repeat::variables : Repeat::never;
    System const system = parse_text(RandomSystem(seed, repeat).text(), "random" + std::to_string(seed) + ".rec");
    std::unique_ptr<Engine> const oracle = make_oracle(system);
    fast::Options const grid = fast::wide_options(default_options());
    for (TermId const input : system.inputs) {
        Limits limits = test_limits();
        limits.rewrites = 5000;
        if (run_engine(*oracle, system.terms, input, limits).outcome.end != End::finished)
            continue;
        for (fast::Options options : {grid, fast::wide_options(fast::walking_options(grid))}) {
            options.cooperative = seed / 2 % 2 == 0;  // of both kinds of systems, one
            expect_equal_results(system, system.terms, input, options, "seed " + std::to_string(seed));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, WideRandomSystem, testing::Range(201u, sanitized ? 202u : shortened ? 203u : 205u));

}  // namespace
}  // namespace lockstep::term_rewriting
