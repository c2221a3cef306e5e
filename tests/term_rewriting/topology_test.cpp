// The rewriter in passes on the tested machine: normal forms and counts equal the oracle's for all options, block sizes
// and orders of lanes, and its passes are the paper's.

#include "tests/term_rewriting/topology.hpp"
#include "common/term_rewriting/language/sharing.hpp"
#include "harness/simt/emulator/options.hpp"
#include "kernels/term_rewriting/as_printed/workload_input.hpp"
#include "reference_cpu/term_rewriting/schedule.hpp"
#include "tests/term_rewriting/random_system.hpp"

namespace lockstep::term_rewriting {
namespace {

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

std::size_t comparisons_in(std::string const& code) {
    std::size_t found = 0;
    for (std::size_t at = code.find("compare("); at != std::string::npos; at = code.find("compare(", at + 1))
        ++found;
    return found;
}

// Every variation compiles kernels of its own, so each is a test.
class EveryVariation : public Topology, public testing::WithParamInterface<std::size_t> {
protected:
    std::string const& name() const { return variation().first; }
    Options const& options() const { return variation().second; }

    // A GPU takes the first of several seeds whose rules compare few terms: NVRTC takes seconds for each comparison,
    // and the rules of a random system can make dozens.
    void expect_the_oracles_on_a_random_system(Repeat const repeat) const {
        bool const any = !on_gpu() && !shortened;
        auto const step = static_cast<unsigned>(variations.size());
        for (unsigned seed = static_cast<unsigned>(GetParam()) + 1; seed < 100 * step; seed += step) {
            std::string const what = "random" + std::to_string(seed);
            System const system = parse_text(RandomSystem(seed, repeat).text(), what + ".rec");
            std::size_t const comparisons = comparisons_in(as_printed::program_text(system, options()).text);
            ASSERT_TRUE(comparisons != 0 || repeat == Repeat::never) << what;
            if (any || comparisons <= 8)
                return expect_the_oracles(system, options(), name() + ", " + what);
        }
        FAIL() << "every random system makes many comparisons";
    }

private:
    std::pair<std::string const, Options> const& variation() const {
        return *std::next(variations.begin(), static_cast<std::ptrdiff_t>(GetParam()));
    }
};

TEST_P(EveryVariation, EqualsTheOracle) { expect_the_oracles(read("condition_order.rec"), options(), name()); }

TEST_P(EveryVariation, EqualsTheOracleOnARandomSystem) { expect_the_oracles_on_a_random_system(Repeat::never); }

class VariationWithEqualities : public EveryVariation {};

TEST_P(VariationWithEqualities, EqualsTheOracleOnARandomSystem) {
    expect_the_oracles_on_a_random_system(Repeat::variables);
}

// ThreadSanitizer takes minutes for the passes over all terms.
std::vector<std::size_t> every_variation(std::size_t const step) {
    std::vector<std::size_t> tested;
    std::size_t position = 0, left_out = 0;
    for (auto const& variation : variations) {
        bool const is_slow = sanitized && variation.second.order == Order::topology;
        if (!is_slow && (position - left_out) % step == 0)
            tested.push_back(position);
        left_out += is_slow ? 1 : 0;
        ++position;
    }
    return tested;
}

std::string name_of_variation(testing::TestParamInfo<std::size_t> const& tested) {
    return std::next(variations.begin(), static_cast<std::ptrdiff_t>(tested.param))->first;
}

INSTANTIATE_TEST_SUITE_P(Variations, EveryVariation, testing::ValuesIn(every_variation(1)), name_of_variation);
INSTANTIATE_TEST_SUITE_P(Variations, VariationWithEqualities, testing::ValuesIn(every_variation(shortened ? 3 : 1)),
                         name_of_variation);

// A pass does not depend on the block size or the order of lanes.
TEST_F(Topology, BlocksAndLanesMakeNoDifference) {
    Workload const workload = {"tree_merge_sort", at_full_size() ? 10u : shortened ? 1u : 3u, shortened ? 3u : 5u, 4};
    System const system = system_of(workload);
    for (unsigned const steps : {1u, 8u}) {
        std::optional<Outcome> first;
        std::uint64_t slots = 0;
        for (unsigned const block : {32, 64, 96, 256}) {
            if (shortened && steps > 1 && block > 32)
                continue;
            for (auto const order : {simt::emulator::LaneOrder::descending, simt::emulator::LaneOrder::random}) {
                if (shortened && on_gpu() && order != simt::emulator::LaneOrder::random)
                    continue;  // a GPU has its own order
                simt::emulator::Options lanes;
                lanes.order = order;
                lanes.seed = block;
                simt::emulator::ScopedOptions const scope(lanes);
                TopologyEngine engine(system, device(), {.steps_per_pass = steps, .block = block});
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
        if (shortened && size > 33)
            continue;
        std::string term = "Zero()";
        for (unsigned i = 1; i < size; ++i)
            term = (i + 1 == size ? "Double(" : "S(") + term + ")";
        system.inputs.push_back(parse_term(system, term, "term"));
    }
    expect_the_oracles(system, {.block = 32, .first_slots = 1}, "sizes");
}

// Passes as in the paper's algorithm: a constructor also needs a pass to be marked normal, after its subterms. The
// expected rewrites per pass are computed without a rewriter in passes.
TEST_F(Topology, PassesEqualThePapers) {
    std::vector<Workload> workloads = {{"tree_merge_sort", 1, 3, 1}};
    if (!sanitized)
        workloads.insert(workloads.end(),
                         {{"transformation_tree", 4, 0, 0}, {"merge_sort", 0, at_full_size() ? 50u : 20u, 1}});
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
    if (!at_full_size())
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
// Seven pairs of S are taken off in as many steps; the eighth step makes T(), which the ninth finds to be normal. Nine
// steps per pass take one pass instead of nine, three steps take three.
// A step that makes a subterm ends the chain, as that is normal only in a later pass.
TEST_F(Topology, StepsOfATermShareAPass) {
    auto const passes = [](std::string const& rules, std::string const& input, unsigned steps) {
        System const system = parse_text(
            "sort Nat = Zero() | S(Nat) | Even(Nat) | T() | Count(Nat, Nat);\nvar X, Y : "
            "Nat;\neqn " +
            rules + "\ninput " + input + ";\n");
        TopologyEngine engine(system, device(), {.steps_per_pass = steps});
        Ran const ran = run_engine(engine, system.terms, system.inputs[0]);
        EXPECT_EQ(ran.outcome.end, End::finished);
        EXPECT_EQ(ran.outcome.rewrites(), rules[0] == 'E' ? 8u : 3u);
        return *ran.outcome.iterations;
    };
    std::string const even = "Even(Zero()) = T(); Even(S(S(X))) = Even(X);";
    std::string number = "Zero()";
    for (unsigned i = 0; i < 14; ++i)
        number = "S(" + number + ")";
    auto const printed = passes(even, "Even(" + number + ")", 1);
    EXPECT_EQ(passes(even, "Even(" + number + ")", 9), printed - 8);
    EXPECT_EQ(passes(even, "Even(" + number + ")", 3), printed - 6);
    std::string const count = "Count(Zero(), Y) = Y; Count(S(X), Y) = Count(X, S(Y));";
    EXPECT_EQ(passes(count, "Count(S(S(Zero())), Zero())", 8), passes(count, "Count(S(S(Zero())), Zero())", 1));
    for (char const* const file : {"mirrors.trs", "quick_sort.rec", "hundred_arguments.trs"}) {
        if (!shortened)
            expect_the_oracles(read(file), {.steps_per_pass = 8}, file);
    }
}

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
    if (shortened)
        system.inputs.erase(system.inputs.begin());
    expect_the_oracles(system, {}, "long comparisons");
}

// The trees of lists written on the device equal those written on the host.
TEST_F(Topology, ListsWrittenOnTheDeviceEqualTheHosts) {
    for (bool const shared : {false, true}) {
        for (auto const& [depth, elements] : {std::pair{0u, 0u}, {0u, 1u}, {1u, 3u}, {3u, 4u}}) {
            if (shortened && depth > 1)
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
