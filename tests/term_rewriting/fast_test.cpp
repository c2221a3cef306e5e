// The engine `fast` equals the oracle in normal forms and applications per rule, for several grid shapes, whether a
// chain of rules is one step or many. Linked with the machine that runs it.

#include <filesystem>

#include "common/term_rewriting/workload.hpp"
#include "kernels/term_rewriting/fast/engine.hpp"
#include "tests/harness/jit/temporary_cache.hpp"
#include "tests/support/machines.hpp"
#include "tests/term_rewriting/fast_options.hpp"
#include "tests/term_rewriting/random_system.hpp"
#include "tests/term_rewriting/small_terms.hpp"

namespace lockstep::term_rewriting {
namespace {

using fast::FastEngine;

void expect_the_oracles(System const& system, Terms const& terms, TermId input, fast::Options const& options,
                        std::string const& what, Limits const& limits = test_limits()) {
    std::unique_ptr<Engine> const oracle = make_oracle(system);
    Ran const expected = run_engine(*oracle, terms, input);
    FastEngine engine(system, jit::device_of(lockstep::tests::kernel_machine()), options);
    Ran const ran = run_engine(engine, terms, input, limits);
    ASSERT_EQ(ran.outcome.end, End::finished) << what;
    EXPECT_EQ(ran.outcome.applications, expected.outcome.applications) << what;
    EXPECT_TRUE(equal_terms(ran.terms, ran.normal_form, expected.terms, expected.normal_form)) << what;
    EXPECT_EQ(engine.normal_form_digest(), digest_of(expected.terms, expected.normal_form)) << what;
    if (tree_size(expected.terms, expected.normal_form) < 100000) {
        std::string text;
        engine.write_normal_form(plain_style(system), [&](std::string_view piece) { text += piece; });
        EXPECT_EQ(text, to_string(system, expected.terms, expected.normal_form)) << what;
    }
}

class Fast : public testing::Test {
protected:
    void SetUp() override {
        if (!lockstep::tests::why_not_here().empty())
            GTEST_SKIP() << lockstep::tests::why_not_here();
    }
};

class FastOnSystem : public testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        if (!lockstep::tests::why_not_here().empty())
            GTEST_SKIP() << lockstep::tests::why_not_here();
    }
};

// Under a sanitizer, only short systems that together use every kind of step.
std::vector<std::string> finite_systems() {
    if (sanitized)
        return {"condition_order.rec", "hundred_arguments.trs", "stuck.rec"};
    std::vector<std::string> names;
    for (auto const& entry : std::filesystem::directory_iterator(systems_folder)) {
        if (entry.path().filename().string().rfind("endless", 0) != 0)
            names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

TEST_P(FastOnSystem, EqualsTheOracle) {
    System const system = read_system(GetParam(), lockstep::tests::under_compute_sanitizer());
    for (TermId const input : system.inputs)
        expect_the_oracles(system, system.terms, input, default_options(), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Systems, FastOnSystem, testing::ValuesIn(finite_systems()),
                         [](auto const& tested) { return std::filesystem::path(tested.param).stem().string(); });

SymbolId symbol_of(System const& system, std::string const& name) {
    SymbolId symbol = 0;
    while (system.symbols.at(symbol).name != name)
        ++symbol;
    return symbol;
}

TermId expand(System const& system, Terms& terms, unsigned depth) {
    TermId number = terms.application(symbol_of(system, "Zero"), {});
    for (unsigned i = 0; i < depth; ++i)
        number = terms.application(symbol_of(system, "Suc"), std::span(&number, 1));
    return terms.application(symbol_of(system, "Expand"), std::span(&number, 1));
}

// Lanes and blocks exchange work in different ways with the same results.
TEST_F(Fast, EveryGridGivesTheSameResults) {
    System const system = parse_system(systems_folder + "transformation_tree.trs", bench::read_file);
    Terms terms;
    TermId const input = expand(system, terms, 8);
    for (auto const& [blocks, block] : {std::pair{1u, 32u}, {1u, 256u}, {3u, 64u}, {8u, 32u}}) {
        for (unsigned const least : {1u, 4u}) {
            fast::Options options = default_options();
            options.blocks = blocks;
            options.block = block;
            options.turns_spreading = 2;
            options.turns_steady = 8;
            options.age_rounds = least;
            options.min_groups = least;
            options.slice_rounds = 16;  // the kernel ends and resumes many times
            expect_the_oracles(system, terms, input, options, std::to_string(blocks) + " of " + std::to_string(block));
        }
    }
}

// Letters with their own term, renamed symbols and reordered rules: the engine must not depend on the known text.
std::string payload_system(bool carried) {
    std::string const argument = carried ? "(Y)" : "";
    std::string text = "sort Nat = Zero() | Suc(Nat);\nTree = Knot(Tree, Tree) | Expand(Nat, Nat) | Grow(Nat, Nat)";
    for (unsigned i = 0; i <= 26; ++i)
        text += " | q" + std::to_string(i * 7 % 27) + (carried ? "(Nat)" : "");
    text += ";\nvar X, Y : Nat;\neqn\n";
    for (unsigned i = 0; i < 26; ++i) {
        unsigned const from = i * 11 % 26;
        text += "q" + std::to_string(from) + argument + " = q" + std::to_string(from + 1) + argument + ";\n";
    }
    for (std::string const head : {"Grow", "Expand"}) {
        text += head + "(Suc(X), Y) = Knot(Expand(X, Suc(Y)), Grow(X, Y));\n";
        text += head + "(Zero(), Y) = q0" + argument + ";\n";
    }
    return text + "input Expand(Suc(Suc(Suc(Suc(Suc(Zero()))))), Zero());\n";
}

std::size_t longest_chain(fast::Program const& program) {
    std::size_t longest = 0;
    for (std::vector<RuleId> const& rules : program.rules_of_counters)
        longest = std::max(longest, rules.size());
    return longest;
}

TEST_F(Fast, ChainsAreCountedRuleByRule) {
    for (bool const carried : {false, true}) {
        System const system = parse_text(payload_system(carried));
        for (bool const chains : {false, true}) {
            fast::Options options = default_options();
            options.chains = chains;
            expect_the_oracles(system, system.terms, system.inputs[0], options, "payload");
        }
        // A chain is one step: one count covers all its rules, including the first.
        EXPECT_EQ(longest_chain(fast::make_program(system, {.chains = true})), 27u);
        EXPECT_EQ(longest_chain(fast::make_program(system, {.chains = false})), 1u);
    }
}

std::size_t times(std::string const& text, std::string const& word) {
    std::size_t found = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
        ++found;
    return found;
}

// Two symbols grow the tree with the same right side. After its calls, their lanes are at the same steps, although
// other lanes can take one of the calls. A node waits for the end of a spine, but not for a branch of a tree.
TEST_F(Fast, EqualStepsAreMerged) {
    System const tree = parse_text(payload_system(true));
    for (bool const fills : {false, true}) {
        std::string const text = fast::make_program(tree, {.fills = fills}).text;
        EXPECT_EQ(times(text, ", after call 1"), 1u);
        EXPECT_EQ(times(text, ", after call 2"), 1u);
        EXPECT_EQ(times(text, "lane.hold("), 0u);
    }
    System const spine = parse_text(
        "sort Nat = Zero() | S(Nat) | Copy(Nat); var X : Nat; eqn Copy(Zero()) = Zero(); "
        "Copy(S(X)) = S(Copy(X)); input Copy(Zero());");
    EXPECT_EQ(times(fast::make_program(spine, {.fills = true}).text, "lane.hold("), 1u);
}

// Without joined steps, waiting nodes or steps chosen by vote, the results are the same, but the engine is slower.
TEST_F(Fast, EachPartIsAnOption) {
    System const system = parse_system(systems_folder + "merge_sort_50.trs", bench::read_file);
    for (bool const written_small : {false, true}) {
        fast::Options options = default_options();
        options.joins = options.fills = !written_small;
        options.votes = written_small;
        expect_the_oracles(system, system.terms, system.inputs[0], options, "parts");
    }
}

// A number is built from its head, so a spine needs one frame instead of one per node.
TEST_F(Fast, ASpineNeedsOneFrame) {
    System const system = parse_text(R"(
sort Nat = Zero() | S(Nat) | Copy(Nat) | Times8(Nat);
var X : Nat;
eqn Copy(Zero()) = Zero();
    Copy(S(X)) = S(Copy(X));
    Times8(Zero()) = Zero();
    Times8(S(X)) = S(S(S(S(S(S(S(S(Times8(X)))))))));
input Copy(Times8(Times8(S(S(S(S(Zero())))))));
)");
    for (bool const fills : {true, false}) {
        fast::Options options = default_options();
        options.fills = fills;
        expect_the_oracles(system, system.terms, system.inputs[0], options, "spine");
        FastEngine engine(system, jit::device_of(lockstep::tests::kernel_machine()), options);
        engine.load(system.terms, system.inputs[0]);
        EXPECT_EQ(engine.run(test_limits()).end, End::finished);
        EXPECT_EQ(engine.measures().spills == 0, fills);
    }
}

TEST_F(Fast, RandomSystems) {
    unsigned const systems = shortened ? 1 : 4;
    for (unsigned seed = 1; seed <= 2 * systems; ++seed) {
        Repeat const repeat = seed > systems ? Repeat::variables : Repeat::never;
        System const system = parse_text(RandomSystem(seed, repeat).text(), "random" + std::to_string(seed) + ".rec");
        std::unique_ptr<Engine> const oracle = make_oracle(system);
        for (TermId const input : system.inputs) {
            Limits limits = test_limits();
            limits.rewrites = 5000;
            if (run_engine(*oracle, system.terms, input, limits).outcome.end == End::finished)
                expect_the_oracles(system, system.terms, input, default_options(), "seed " + std::to_string(seed));
        }
    }
}

TEST_F(Fast, EndlessSystemsEnd) {
    for (std::string const name : {"endless_loop", "endless_depth", "endless_growth"}) {
        System const system = parse_system(systems_folder + name + ".trs", bench::read_file);
        FastEngine engine(system, jit::device_of(lockstep::tests::kernel_machine()), default_options());
        engine.load(system.terms, system.inputs[0]);
        Limits limits = test_limits();
        limits.rewrites = 5000;
        EXPECT_EQ(engine.run(limits).end, End::too_many_rewrites) << name;
        limits = test_limits();
        if (name == "endless_loop") {
            limits.seconds = 0.05;
            EXPECT_EQ(engine.run(limits).end, End::out_of_time) << name;
        } else {
            limits.memory = sanitized ? 1 << 18 : 1 << 20;
            EXPECT_EQ(engine.run(limits).end, End::out_of_memory) << name;
            EXPECT_GT(engine.measures().launches, 0u) << "there was enough memory to start";
        }
    }
}

// One launch that would go on ends in time. A limit of rewrites would divide it. The next run is one launch again.
TEST_F(Fast, ALimitOfTimeEndsALaunch) {
    System const system = parse_system(systems_folder + "endless_loop.trs", bench::read_file);
    fast::Options options = default_options();
    options.slice_rounds = 1u << 30;
    FastEngine engine(system, jit::device_of(lockstep::tests::kernel_machine()), options);
    engine.load(system.terms, system.inputs[0]);
    Limits limits;
    limits.memory = test_limits().memory;
    limits.seconds = 0.05;
    for (unsigned run = 0; run < 2; ++run) {
        EXPECT_EQ(engine.run(limits).end, End::out_of_time);
        EXPECT_EQ(engine.measures().launches, 1u);
    }
}

// The limit is exactly the number of permitted rewrites.
TEST_F(Fast, RewriteLimitsAreExact) {
    System const system = parse_system(systems_folder + "lists.rec", bench::read_file);
    FastEngine engine(system, jit::device_of(lockstep::tests::kernel_machine()), default_options());
    engine.load(system.terms, system.inputs[0]);
    Limits limits = test_limits();
    limits.rewrites = 10;
    EXPECT_EQ(engine.run(limits).end, End::finished);
    limits.rewrites = 9;
    EXPECT_EQ(engine.run(limits).end, End::too_many_rewrites);
    Outcome const again = engine.run(test_limits());
    EXPECT_EQ(again.end, End::finished);
    EXPECT_EQ(again.rewrites(), 10u);
}

// Many times more terms are built than fit. Lists and trees of them stay live, also while stacks and cells wait for
// values.
TEST_F(Fast, GarbageIsCollected) {
    System const system = parse_text(R"(
sort Nat = Zero() | S(Nat) | Copy(Nat) | Again(Nat, Nat);
     Tree = Grow(Nat) | Grow2(Nat) | Node(Tree, Tree) | Leaf(Nat);
var X, Y : Nat;
eqn Copy(Zero()) = Zero();
    Copy(S(X)) = S(Copy(X));
    Again(Zero(), Y) = Y;
    Again(S(X), Y) = Again(X, Copy(Y));
    Grow(Zero()) = Leaf(Again(S(S(S(S(S(S(S(S(S(S(S(S(S(S(S(S(S(S(S(S(Zero())))))))))))))))))))),
                              S(S(S(S(S(S(S(S(S(S(S(S(S(S(S(S(S(S(S(S(S(S(S(S(Zero()))))))))))))))))))))))))));
    Grow(S(X)) = Node(Grow(X), Grow2(X));
    Grow2(Zero()) = Grow(Zero());
    Grow2(S(X)) = Node(Grow(X), Grow2(X));
input Grow(S(S(S(S(S(Zero()))))));
)");
    std::unique_ptr<Engine> const oracle = make_oracle(system);
    Ran const expected = run_engine(*oracle, system.terms, system.inputs[0]);
    fast::Options options = default_options();
    options.blocks = 1;
    options.block = 32;
    FastEngine engine(system, jit::device_of(lockstep::tests::kernel_machine()), options);
    Limits limits = test_limits();
    limits.memory = 300 << 10;  // two halves; all 32 * 20 * 24 nodes of 16 bytes would need 240 KiB in each
    Ran const ran = run_engine(engine, system.terms, system.inputs[0], limits);
    ASSERT_EQ(ran.outcome.end, End::finished);
    EXPECT_GE(engine.measures().collections, 2u);
    EXPECT_EQ(ran.outcome.applications, expected.outcome.applications);
    EXPECT_TRUE(equal_terms(ran.terms, ran.normal_form, expected.terms, expected.normal_form));
    EXPECT_EQ(engine.normal_form_digest(), digest_of(expected.terms, expected.normal_form));
}

std::size_t images_in(std::filesystem::path const& folder) {
    std::size_t images = 0;
    for (auto const& entry : std::filesystem::recursive_directory_iterator(folder))
        images += entry.path().extension() == ".image" ? 1 : 0;
    return images;
}

// After a run has compiled ahead, its cases compile nothing.
TEST_F(Fast, CompilesAheadWhatTheCasesLoad) {
    if (lockstep::tests::kernel_machine() != simt::Machine::cuda)
        GTEST_SKIP() << "the emulator compiles nothing ahead";
    lockstep::tests::TemporaryCache const cache;
    bench::Experiment experiment;
    add_variants(experiment);
    bench::Problem problem;
    for (bench::Axis const& axis : workload_axes())
        problem.axes.set(axis.name, axis.default_value);
    problem.axes.set("system", "sieve");  // no other test loads it
    problem.axes.set("elements", "8");
    problem.units = 1;
    std::size_t variants = 0;
    for (bench::Variant const& variant : experiment.variants) {
        if (variant.machine != simt::Machine::cuda)
            continue;
        ++variants;
        for (bench::Compilation const& compilation : variant.compilations(problem))
            compilation.run();
    }
    std::size_t const images = images_in(cache.folder.path());
    EXPECT_GT(images, 10u);
    for (bench::Variant const& variant : experiment.variants) {
        if (variant.machine != simt::Machine::cuda)
            continue;
        variant.make(problem);
        EXPECT_EQ(images_in(cache.folder.path()), images) << variant.name;
    }
    EXPECT_GT(variants, 20u);
}

}  // namespace
}  // namespace lockstep::term_rewriting
