// The rewriter in passes on the tested machine: normal forms and counts equal the oracle's for all options, block sizes
// and orders of lanes; slots are reused, and memory grows and ends as expected.

#include <cstdlib>
#include <map>

#include "common/term_rewriting/language/sharing.hpp"
#include "harness/bench/measure.hpp"
#include "harness/simt/emulator/options.hpp"
#include "kernels/term_rewriting/as_printed/counted_apart.hpp"
#include "kernels/term_rewriting/as_printed/memory.hpp"
#include "kernels/term_rewriting/as_printed/workload_input.hpp"
#include "reference_cpu/term_rewriting/schedule.hpp"
#include "tests/support/machines.hpp"
#include "tests/term_rewriting/common.hpp"
#include "tests/term_rewriting/random_system.hpp"

namespace lockstep::term_rewriting {
namespace {

using as_printed::Options;
using as_printed::Order;
using as_printed::TopologyEngine;

bool on_gpu() { return lockstep::tests::kernel_machine() == simt::Machine::cuda; }

// The emulator visits every term in every pass, so systems with long runs get a smaller input there.
std::string small_term(std::string const& file) {
    static std::map<std::string, std::string> const terms = {
        {"ackermann.trs", "Ack(S(S(Zero())), S(S(Zero())))"},
        {"binary_arithmetic.trs", "Squares(More(More(None())), TwicePlus(One()))"},
        {"collatz.rec", "steps(s(s(s(s(s(zero))))))"},
        {"deep_spine.trs", "Parity(Half(Twice(S(S(S(S(S(Zero()))))))))"},
        {"merge_sort_50.trs", "Sort(Cons(S(Zero()), Cons(Zero(), Nil())))"},
        {"tree_fold.trs", "Leaves(Mirror(Grow(S(S(S(Zero()))))))"},
    };
    auto const found = terms.find(file);
    // A hundred thousand launches also take long under compute-sanitizer.
    bool const at_full_size = on_gpu() && std::getenv("LOCKSTEP_COMPUTE_SANITIZER") == nullptr;
    return found == terms.end() || at_full_size ? "" : found->second;
}

System read(std::string const& file) {
    System system = parse_system(systems_folder + file, bench::read_file);
    if (std::string const term = small_term(file); !term.empty())
        system.inputs.assign(1, parse_term(system, term, "small term"));
    return system;
}

jit::Device& device() { return jit::device_of(lockstep::tests::kernel_machine()); }

// Normal forms, their digests and the applications of every rule equal the oracle's.
void expect_the_oracles(System const& system, Options const& options, std::string const& what) {
    std::unique_ptr<Engine> const oracle = make_oracle(system);
    TopologyEngine engine(system, device(), options);
    for (TermId const input : system.inputs) {
        Ran const expected = run_engine(*oracle, system.terms, input);
        if (expected.outcome.end != End::finished)
            continue;
        Ran const ran = run_engine(engine, system.terms, input);
        ASSERT_EQ(ran.outcome.end, End::finished) << what;
        EXPECT_EQ(ran.outcome.applications, expected.outcome.applications) << what << ": " << to_string(system, input);
        EXPECT_TRUE(equal_terms(ran.terms, ran.normal_form, expected.terms, expected.normal_form))
            << what << ": " << to_string(system, input);
        EXPECT_EQ(engine.normal_form_digest(), digest_of(expected.terms, expected.normal_form)) << what;
    }
}

std::map<std::string, Options> const variations = {
    {"as_printed", {}},
    {"no_collection", {.collects = false}},
    {"no_shortcut", {.shortcut = false}},
    {"decision_trees", {.decision_trees = true}},
    {"net_references", {.net_references = true}},
    {"aggregated", {.aggregates = true}},
    {"takes_together", {.takes_together = true}},
    {"binned", {.order = Order::binned}},
    {"worklist", {.order = Order::worklist}},
    {"counted", {.counts_traffic = true, .traces = true}},
};

class Topology : public testing::Test {
protected:
    void SetUp() override {
        if (std::string const reason = lockstep::tests::why_not_here(); !reason.empty())
            GTEST_SKIP() << reason;
    }
};

class EverySystemInPasses : public Topology, public testing::WithParamInterface<std::string> {};

TEST_P(EverySystemInPasses, EqualsTheOracle) { expect_the_oracles(read(GetParam()), {}, GetParam()); }

std::vector<std::string> systems() {
    if (sanitized)
        return {"condition_order.rec", "stuck.rec"};
    std::vector<std::string> names;
    for (auto const& entry : std::filesystem::directory_iterator(systems_folder)) {
        if (entry.path().filename().string().rfind("endless", 0) != 0)
            names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::string stem_of(testing::TestParamInfo<std::string> const& tested) {
    return std::filesystem::path(tested.param).stem().string();
}

INSTANTIATE_TEST_SUITE_P(Systems, EverySystemInPasses, testing::ValuesIn(systems()), stem_of);

TEST_F(Topology, EveryVariationEqualsTheOracle) {
    for (auto const& [name, options] : variations) {
        if (sanitized && options.order == Order::topology)
            continue;
        expect_the_oracles(read("condition_order.rec"), options, name);
    }
}

TEST_F(Topology, RandomSystemsEqualTheOracle) {
    unsigned seed = 0;
    for (auto const& [name, options] : variations) {
        ++seed;
        if (sanitized && options.order == Order::topology)
            continue;
        System const system = parse_text(RandomSystem(seed).text(), "random" + std::to_string(seed) + ".rec");
        expect_the_oracles(system, options, name + ", seed " + std::to_string(seed));
    }
}

// A pass does not depend on the block size or the order of lanes.
TEST_F(Topology, BlocksAndLanesMakeNoDifference) {
    Workload const workload = {"tree_merge_sort", on_gpu() ? 10u : sanitized ? 1u : 3u, sanitized ? 3u : 5u, 4};
    System const system = system_of(workload);
    std::optional<Outcome> first;
    std::uint64_t slots = 0;
    for (unsigned const block : {32, 64, 96, 256}) {
        for (auto const order : {simt::emulator::LaneOrder::descending, simt::emulator::LaneOrder::random}) {
            simt::emulator::Options lanes;
            lanes.order = order;
            lanes.seed = block;
            simt::emulator::ScopedOptions const scope(lanes);
            TopologyEngine engine(system, device(), {.block = block});
            engine.load(as_printed::input_of(system, workload));
            Outcome const outcome = engine.run(test_limits());
            ASSERT_EQ(unit_result(engine.normal_form_digest(), outcome.applications), expected_result(workload))
                << block << " threads";
            if (!first) {
                first = outcome;
                slots = engine.slots_used();
            }
            EXPECT_EQ(outcome.iterations, first->iterations) << block << " threads";
            EXPECT_EQ(outcome.max_redexes, first->max_redexes) << block << " threads";
            EXPECT_EQ(engine.slots_used(), slots) << block << " threads";
        }
    }
}

// Terms that fill one warp or one block, one term more and one less.
TEST_F(Topology, SizesAtTheEdges) {
    System system = parse_text(R"(
sort Nat = Zero() | S(Nat) | Double(Nat);
var X : Nat;
eqn Double(Zero()) = Zero();
    Double(S(X)) = S(S(Double(X)));
input Zero();
)");
    system.inputs.clear();
    for (unsigned const size : {1, 2, 31, 32, 33, 63, 64, 65}) {
        if (sanitized && size > 33)
            continue;
        std::string term = "Zero()";
        for (unsigned i = 1; i < size; ++i)
            term = (i + 1 == size ? "Double(" : "S(") + term + ")";
        system.inputs.push_back(parse_term(system, term, "term"));
    }
    expect_the_oracles(system, {.block = 32, .first_slots = 1}, "sizes");
}

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
    Workload const workload = {"transformation_tree", sanitized ? 3u : 6u, 0, 0};
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
        limits.rewrites = sanitized ? 20 : 100;
        EXPECT_EQ(run_engine(engine, system.terms, system.inputs[0], limits).outcome.end, End::too_many_rewrites);
        limits = test_limits();
        if (name == "endless_loop.trs")
            limits.seconds = 0.02;
        else
            limits.memory = sanitized ? 2000 : 8000;
        EXPECT_EQ(run_engine(engine, system.terms, system.inputs[0], limits).outcome.end,
                  name == "endless_loop.trs" ? End::out_of_time : End::out_of_memory)
            << name;
    }
}

// Passes as in the paper's algorithm: a constructor also needs a pass to be marked normal, after its subterms. The
// expected rewrites per pass are computed without a rewriter in passes.
TEST_F(Topology, PassesEqualThePapers) {
    std::vector<Workload> workloads = {{"tree_merge_sort", 1, 3, 1}};
    if (!sanitized)
        workloads.insert(workloads.end(),
                         {{"transformation_tree", 4, 0, 0}, {"merge_sort", 0, on_gpu() ? 50u : 20u, 1}});
    for (Workload const& workload : workloads) {
        System const system = system_of(workload);
        Terms terms;
        TermId const input = make_input(system, workload, terms);
        Scheduler scheduler(system, NormalForms::marked_in_passes);
        scheduler.add(terms, input);
        Schedule const schedule = scheduler.schedule();
        TopologyEngine engine(system, device(), {.first_slots = 10000, .traces = true});
        Ran const ran = run_engine(engine, terms, input);
        std::string const& what = workload.system;
        EXPECT_EQ(ran.outcome.iterations, schedule.iterations + 1) << what;  // the last finds only normal terms
        EXPECT_EQ(ran.outcome.max_redexes, schedule.max_redexes()) << what;
        std::vector<std::uint64_t> redexes;
        for (as_printed::Pass const& pass : engine.passes())
            redexes.push_back(pass.redexes);
        ASSERT_GE(redexes.size(), schedule.redexes.size()) << what;
        redexes.resize(schedule.redexes.size());
        EXPECT_EQ(redexes, schedule.redexes) << what;
    }
    if (!on_gpu())
        return;
    Workload const workload = {"transformation_tree", 20, 0, 0};
    System const system = system_of(workload);
    TopologyEngine engine(system, device(), {});
    engine.load(as_printed::input_of(system, workload));
    Outcome const outcome = engine.run(test_limits());
    EXPECT_EQ(outcome.iterations, 89 + 1);
    EXPECT_EQ(outcome.max_redexes, 1u << 20);
    EXPECT_EQ(outcome.rewrites(), 29360127u);
}

// Comparisons that need memory: trees of thousands of terms, and shared terms that would exceed any memory as trees.
TEST_F(Topology, LongComparisons) {
    System system = parse_text(R"(
REC-SPEC Long
SORTS
  Nat Tree Bool
CONS
  zero : -> Nat
  s : Nat -> Nat
  leaf : -> Tree
  other : -> Tree
  node : Tree Tree -> Tree
  true : -> Bool
  false : -> Bool
  both : Bool Bool -> Bool
OPNS
  full : Nat Tree -> Tree
  fuller : Nat Tree -> Tree
  shared : Nat Tree -> Tree
  sharing : Nat Tree -> Tree
  same : Tree Tree -> Bool
VARS
  n : Nat
  t u : Tree
RULES
  full(zero, t) -> t
  full(s(n), t) -> node(full(n, leaf), fuller(n, t))
  fuller(zero, t) -> t
  fuller(s(n), t) -> node(full(n, leaf), fuller(n, t))
  shared(zero, t) -> t
  shared(s(n), t) -> node(shared(n, t), shared(n, t))
  sharing(zero, t) -> t
  sharing(s(n), t) -> node(sharing(n, t), sharing(n, t))
  same(t, u) -> true if t = u
  same(t, u) -> false
EVAL
  both(same(full(s(s(s(s(s(s(s(s(s(s(s(zero))))))))))), leaf), full(s(s(s(s(s(s(s(s(s(s(s(zero))))))))))), leaf)),
       same(full(s(s(s(s(s(s(s(s(s(s(s(zero))))))))))), leaf), full(s(s(s(s(s(s(s(s(s(s(s(zero))))))))))), other)))
  both(same(shared(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(zero)))))))))))))))))))))))))))))))))))))))), leaf),
            sharing(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(s(zero)))))))))))))))))))))))))))))))))))))))), leaf)),
       same(shared(s(s(s(zero))), leaf), sharing(s(s(s(zero))), other)))
END-SPEC
)",
                               "long.rec");
    if (sanitized)
        system.inputs.erase(system.inputs.begin());
    expect_the_oracles(system, {}, "long comparisons");
}

// The trees of lists written on the device equal those written on the host.
TEST_F(Topology, ListsWrittenOnTheDeviceEqualTheHosts) {
    for (bool const shared : {false, true}) {
        for (auto const& [depth, elements] : {std::pair{0u, 0u}, {0u, 1u}, {1u, 3u}, {3u, 4u}}) {
            if (sanitized && depth > 1)
                continue;
            Workload const workload = {"tree_merge_sort", depth, elements, 5, shared};
            System const system = system_of(workload);
            TopologyEngine engine(system, device(), {});
            Terms terms;
            Ran const host = run_engine(engine, terms, make_input(system, workload, terms));
            engine.load(as_printed::input_of(system, workload));
            Outcome const outcome = engine.run(test_limits());
            EXPECT_EQ(outcome.applications, host.outcome.applications);
            EXPECT_EQ(outcome.iterations, host.outcome.iterations);
            EXPECT_EQ(unit_result(engine.normal_form_digest(), outcome.applications), expected_result(workload));
        }
    }
}

// An instrumented program computes the same result as the plain one, and a waiting subterm is read once per pass.
TEST_F(Topology, TrafficIsCounted) {
    Workload const workload = {"tree_merge_sort", sanitized ? 0u : 1u, sanitized ? 3u : 4u, 2};
    System const system = system_of(workload);
    auto const sums = [&](Options options) {
        options.counts_traffic = options.traces = true;
        options.first_slots = 1000;
        TopologyEngine engine(system, device(), options);
        engine.load(as_printed::input_of(system, workload));
        engine.run(test_limits());
        as_printed::Pass sum;
        for (as_printed::Pass const& pass : engine.passes()) {
            sum.redexes += pass.redexes;
            sum.own_bytes += pass.own_bytes;
            sum.random_bytes += pass.random_bytes;
            sum.random_accesses += pass.random_accesses;
            sum.allocations += pass.allocations;
            sum.atomics += pass.atomics;
            sum.checks += pass.checks;
            sum.slots = std::max(sum.slots, pass.slots);
        }
        return std::pair{sum, engine.passes().size()};
    };
    auto const [printed, passes] = sums({});
    auto const [plain, plain_passes] = sums({.shortcut = false});
    auto const [kept, kept_passes] = sums({.collects = false});
    EXPECT_EQ(printed.redexes, expected_result(workload)[2]);
    EXPECT_EQ(passes, plain_passes);
    EXPECT_LT(printed.checks, plain.checks);
    // Without counts, only the allocation of a new term uses an atomic.
    EXPECT_EQ(kept.atomics, kept.slots - as_printed::input_of(system, workload)->terms());
    EXPECT_GT(printed.atomics, 3 * kept.atomics);
    EXPECT_GT(printed.own_bytes, passes * 10);
    EXPECT_GT(printed.random_bytes, printed.redexes);
    // An access takes 1 to 4 bytes.
    EXPECT_LT(printed.random_accesses, printed.random_bytes);
    EXPECT_GT(4 * printed.random_accesses, printed.random_bytes);
    // Without collection each new slot is one allocation.
    EXPECT_EQ(kept.allocations, kept.slots - as_printed::input_of(system, workload)->terms());
}

// The program that is timed: no counts, and otherwise the same passes.
TEST_F(Topology, WithoutCountsThePassesAreTheSame) {
    Workload const workload = {"tree_merge_sort", sanitized ? 1u : 3u, sanitized ? 3u : 5u, 4};
    System const system = system_of(workload);
    for (Options options : {Options{}, Options{.order = Order::worklist}}) {
        std::optional<Outcome> counted;
        std::uint64_t slots = 0;
        std::uint64_t digest = 0;
        for (bool const counts : {true, false}) {
            options.counts_rewrites = counts;
            TopologyEngine engine(system, device(), options);
            engine.load(as_printed::input_of(system, workload));
            Outcome const outcome = engine.run(test_limits());
            ASSERT_EQ(outcome.end, End::finished);
            if (counts) {
                EXPECT_NE(outcome.rewrites(), 0u);
                counted = outcome;
                slots = engine.slots_used();
                digest = engine.normal_form_digest();
                continue;
            }
            EXPECT_EQ(outcome.rewrites(), 0u);
            EXPECT_FALSE(outcome.max_redexes);
            EXPECT_EQ(outcome.iterations, counted->iterations);
            EXPECT_EQ(engine.slots_used(), slots);
            EXPECT_EQ(engine.normal_form_digest(), digest);
        }
    }
}

// Engines with chosen results, in place of a program.
class ChosenCase : public bench::Case {
public:
    ChosenCase(bench::UnitResult result, double iterations)
        : Case({}), result_(std::move(result)), iterations_(iterations) {}
    void reset() override {}
    void run(simt::Stream) override {}
    std::vector<bench::UnitResult> results(std::span<std::uint64_t const> units) override {
        return std::vector<bench::UnitResult>(units.size(), result_);
    }
    bool is_host_driven() const override { return true; }
    bench::Work work() const override { return {.items = 7}; }
    bench::Metrics metrics() const override {
        return {{"iterations", iterations_}, {"rewrites", 7.0}, {"slots_used", iterations_}};
    }

private:
    bench::UnitResult result_;
    double iterations_;
};

TEST(CountedApart, NeedsTheNormalFormAndThePassesOfTheCountedRun) {
    auto const chosen = [](bench::UnitResult const& timed, double iterations) {
        return as_printed::make_case_counted_apart(
            {},
            [] {
                return std::make_unique<ChosenCase>(bench::UnitResult{1, 2, 7, 0, 7, 0}, 3);
            },
            [=] { return std::make_unique<ChosenCase>(timed, iterations); });
    };
    std::uint64_t const unit = 0;
    std::span const units(&unit, 1);
    auto const same = chosen({1, 2, 0, 0, 0, 0}, 3);
    EXPECT_EQ(same->results(units).at(0), (bench::UnitResult{1, 2, 7, 0, 7, 0}));
    EXPECT_EQ(same->work().items, 7);
    EXPECT_TRUE(same->is_host_driven());
    EXPECT_EQ(same->metrics().at("rewrites").value, 7);
    auto const another = chosen({1, 3, 0, 0, 0, 0}, 3);
    EXPECT_EQ(another->results(units).at(0), (bench::UnitResult{1, 3, 0, 0, 0, 0}));
    EXPECT_THROW(chosen({1, 2, 0, 0, 0, 0}, 4)->results(units), bench::Disagreement);
}

// One atomic for all slots of a step, so fewer atomics, and no index is lost or used twice.
TEST_F(Topology, OneAtomicTakesAllSlotsOfAStep) {
    Workload const workload = {"tree_merge_sort", sanitized ? 0u : 1u, sanitized ? 3u : 4u, 2};
    System const system = system_of(workload);
    auto const run = [&](bool together) {
        TopologyEngine engine(
            system, device(),
            {.takes_together = together, .counts_traffic = true, .first_slots = 1000, .traces = true});
        engine.load(as_printed::input_of(system, workload));
        Outcome const outcome = engine.run(test_limits());
        EXPECT_EQ(unit_result(engine.normal_form_digest(), outcome.applications), expected_result(workload));
        std::uint64_t atomics = 0;
        std::uint64_t allocations = 0;
        for (as_printed::Pass const& pass : engine.passes()) {
            atomics += pass.atomics;
            allocations += pass.allocations;
        }
        return std::tuple(atomics, allocations, engine.slots_used());
    };
    auto const [one_by_one, allocations, slots] = run(false);
    auto const [together, same_allocations, same_slots] = run(true);
    EXPECT_LT(together, one_by_one);
    EXPECT_EQ(same_allocations, allocations);
    EXPECT_EQ(same_slots, slots);
}

TEST_F(Topology, RunsTheSameInputAgain) {
    System const system = read("tree_fold.trs");
    TopologyEngine engine(system, device(), {});
    engine.load(system.terms, system.inputs[0]);
    Outcome const first = engine.run(test_limits());
    engine.prepare();
    EXPECT_EQ(engine.run(test_limits()).applications, first.applications);
    EXPECT_EQ(engine.run(test_limits()).iterations, first.iterations);
}

}  // namespace
}  // namespace lockstep::term_rewriting
