// The rewriter in passes: slots are allocated exactly and reused, memory grows and ends, and limits hold.

#include "common/term_rewriting/language/sharing.hpp"
#include "common/term_rewriting/workload.hpp"
#include "kernels/term_rewriting/as_printed/memory.hpp"
#include "tests/term_rewriting/topology.hpp"

namespace lockstep::term_rewriting {
namespace {

// Without collection, every new term takes a slot, so the counts of the rules determine the number of slots.
TEST_F(Topology, SlotsAreAllocatedExactly) {
    Workload const workload = {"tree_merge_sort", 1, 4, 9};
    System const system = system_of(workload);
    Terms terms;
    TermId const input = make_input(system, workload, terms);
    TopologyEngine keeping(system, device(), {.collects = false, .first_slots = 1000});
    Ran const kept = run_engine(keeping, terms, input);
    std::uint64_t slots = tree_size(terms, input);
    for (RuleId rule = 0; rule < system.rules.size(); ++rule) {
        // The root of the right side takes the slot of the rewritten term.
        bool const root_is_made = !system.terms.is_variable(system.rules[rule].right);
        slots +=
            kept.outcome.applications[rule] * (nodes_made(system.terms, system.rules[rule]) - (root_is_made ? 1 : 0));
    }
    EXPECT_EQ(keeping.slots_used(), slots);

    TopologyEngine collecting(system, device(), {});
    run_engine(collecting, terms, input);
    EXPECT_LT(collecting.slots_used(), slots);
}

// Each rewrite creates one term and frees one, so slots are reused: three for live terms and one for the last freed
// term.
TEST_F(Topology, FreedSlotsAreUsedAgain) {
    System const system = read("endless_loop.trs");
    TopologyEngine engine(system, device(), {.first_slots = 1});
    Limits limits = test_limits();
    limits.rewrites = 200;
    limits.memory = as_printed::ColumnMemory(system, device(), {}, ~0ull).bytes_for(6);
    EXPECT_EQ(run_engine(engine, system.terms, system.inputs[0], limits).outcome.end, End::too_many_rewrites);
    EXPECT_LE(engine.slots_used(), 5u);
}

// The minimum number of slots, and one less.
TEST_F(Topology, MemoryEndsAtItsLimit) {
    System const system = parse_text(R"(
sort Nat = Zero() | S(Nat) | Twice(Nat);
var X : Nat;
eqn Twice(Zero()) = Zero();
    Twice(S(X)) = S(S(Twice(X)));
input Twice(S(S(S(S(S(S(S(S(S(S(Zero())))))))))));
)");
    Limits limits = test_limits();
    std::uint64_t const needed = 12 + 2 * 10;  // the input, and two successors or a call per rewrite
    auto const end_with = [&](std::uint64_t slots) {
        Options const options = {.collects = false, .first_slots = slots + 1};
        TopologyEngine bounded(system, device(), options);
        limits.memory = as_printed::ColumnMemory(system, device(), options, ~0ull).bytes_for(slots + 1);
        Ran const ran = run_engine(bounded, system.terms, system.inputs[0], limits);
        EXPECT_LE(ran.outcome.memory, limits.memory);
        if (ran.outcome.end == End::finished) {
            EXPECT_EQ(to_string(system, ran.terms, ran.normal_form).size(), 4u + 20 * 3);
        }
        return ran.outcome.end;
    };
    EXPECT_EQ(end_with(needed), End::finished);
    EXPECT_EQ(end_with(needed - 1), End::out_of_memory);
    EXPECT_EQ(end_with(12), End::out_of_memory);
    EXPECT_EQ(end_with(11), End::out_of_memory);  // the input does not fit
}

// A fixed number of slots that is too small for all simultaneous rewrites: steps are postponed and nothing is lost.
TEST_F(Topology, StepsArePostponedWhenSlotsRunOut) {
    Workload const workload = {"transformation_tree", 4, 0, 0};
    System const system = system_of(workload);
    Terms terms;
    TermId const input = make_input(system, workload, terms);
    for (auto const order : {Order::topology, Order::binned, Order::worklist}) {
        Limits limits = test_limits();
        std::uint64_t const live = (std::uint64_t{2} << 4) - 1;
        Options const fixed = {.order = order, .first_slots = live + 9};
        limits.memory = as_printed::ColumnMemory(system, device(), fixed, ~0ull).bytes_for(live + 9);
        TopologyEngine short_of(system, device(), fixed);
        Ran const ran = run_engine(short_of, terms, input, limits);
        ASSERT_EQ(ran.outcome.end, End::finished);
        EXPECT_EQ(unit_result(digest_of(ran.terms, ran.normal_form), ran.outcome.applications),
                  expected_result(workload));
        EXPECT_LE(short_of.slots_used(), live + 8);
    }
}

TEST_F(Topology, MemoryGrows) {
    Workload const workload = {"transformation_tree", shortened ? 3u : 6u, 0, 0};
    System const system = system_of(workload);
    Terms terms;
    TermId const input = make_input(system, workload, terms);
    for (auto const order : {Order::topology, Order::worklist}) {
        TopologyEngine engine(system, device(), {.order = order, .first_slots = 1});
        Ran const ran = run_engine(engine, terms, input);
        EXPECT_EQ(unit_result(digest_of(ran.terms, ran.normal_form), ran.outcome.applications),
                  expected_result(workload));
        EXPECT_GT(engine.slots_held(), tree_size(terms, input));
    }
}

TEST_F(Topology, LimitsEndEndlessSystems) {
    for (std::string const name : {"endless_loop.trs", "endless_growth.trs", "endless_depth.trs"}) {
        System const system = read(name);
        TopologyEngine engine(system, device(), {});
        Limits limits = test_limits();
        limits.rewrites = shortened ? 20 : 100;
        EXPECT_EQ(run_engine(engine, system.terms, system.inputs[0], limits).outcome.end, End::too_many_rewrites);
        limits = test_limits();
        if (name == "endless_loop.trs")
            limits.seconds = 0.02;
        else
            limits.memory = shortened ? 2000 : 8000;
        EXPECT_EQ(run_engine(engine, system.terms, system.inputs[0], limits).outcome.end,
                  name == "endless_loop.trs" ? End::out_of_time : End::out_of_memory)
            << name;
    }
}

}  // namespace
}  // namespace lockstep::term_rewriting
