// How the work of the engine `fast` spreads: the roots of an input in one launch, warps before lanes, and independent
// parts of right sides. Linked with the machine that runs it.

#include <algorithm>
#include <iostream>

#include "common/term_rewriting/language/together.hpp"
#include "common/term_rewriting/many_terms.hpp"
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

fast::Options narrow_options() {
    fast::Options options = default_options();
    options.warps_first = options.independent_parts = true;
    options.repeats = 8;
    options.turns_spreading = 4;
    return options;
}

fast::Options walking_options() {
    fast::Options options = fast::walking_options(default_options());
    options.turns_spreading = 4;
    return options;
}

class Spread : public testing::Test {
protected:
    void SetUp() override {
        if (!lockstep::tests::why_not_here().empty())
            GTEST_SKIP() << lockstep::tests::why_not_here();
    }
};

// Runs the engine, expects the oracle's results, and returns the measures.
Measures expect_the_oracles(System const& system, Terms const& terms, TermId input, fast::Options const& options,
                            std::string const& what, Limits const& limits = test_limits()) {
    std::unique_ptr<Engine> const oracle = make_oracle(system);
    Ran const expected = run_engine(*oracle, terms, input);
    FastEngine engine(system, jit::device_of(lockstep::tests::kernel_machine()), options);
    Measures measures;
    for (unsigned run = 0; run < 2; ++run) {
        Ran const ran = run_engine(engine, terms, input, limits);
        EXPECT_EQ(ran.outcome.end, End::finished) << what;
        if (ran.outcome.end != End::finished)
            return measures;
        EXPECT_EQ(ran.outcome.applications, expected.outcome.applications) << what;
        EXPECT_TRUE(equal_terms(ran.terms, ran.normal_form, expected.terms, expected.normal_form)) << what;
        measures = engine.measures();
        // Again, from the same input: what the first run left there must not matter.
        EXPECT_EQ(engine.run(limits).end, End::finished) << what;
        EXPECT_EQ(engine.normal_form_digest(), digest_of(expected.terms, expected.normal_form)) << what;
    }
    return measures;
}

// Without a limit of rewrites, which makes the first launches short.
Limits one_launch() {
    Limits limits;
    limits.memory = test_limits().memory;
    return limits;
}

constexpr char const* naturals =
    "sort Nat = Zero() | S(Nat) | Plus(Nat, Nat) | Double(Nat);\nvar X, Y : Nat;\n"
    "eqn Plus(Zero(), Y) = Y; Plus(S(X), Y) = S(Plus(X, Y)); Double(X) = Plus(X, X);\n";

// Term i is a sum, or a normal form if i % 7 == 3.
std::string term_text(std::size_t i) {
    std::string number = "Zero";
    for (std::size_t j = 0; j < i % 5; ++j)
        number = "S(" + number + ")";
    return i % 7 == 3 ? number : "Plus(" + number + ", S(" + number + "))";
}

std::vector<std::size_t> counts_of_terms() {
    if (shortened)
        return {1, 2, 31, 33};
    return {1, 2, 31, 33, 1000, 5000};
}

TEST_F(Spread, ManyTermsAreOneLaunch) {
    for (std::size_t const count : counts_of_terms()) {
        System system = parse_text(naturals);
        std::string text;
        std::size_t pending = 0;
        for (std::size_t i = 0; i < count; ++i) {
            text += term_text(i) + "\n";
            pending += i % 7 == 3 ? 0 : 1;
        }
        Together const together(system, parse_terms(system, text, "terms"));
        std::unique_ptr<Engine> const oracle = make_oracle(system);
        oracle->load(system.terms, together.term());
        Outcome const expected = oracle->run(test_limits());
        std::string forms;
        oracle->write_normal_form(plain_style(system), together.lines([&](std::string_view piece) { forms += piece; }));
        for (bool const warps_first : {false, true}) {
            fast::Options options = default_options();
            options.warps_first = warps_first;
            options.slice_rounds = 1u << 15;
            FastEngine engine(system, jit::device_of(lockstep::tests::kernel_machine()), options);
            engine.load(system.terms, together.term());
            Outcome const outcome = engine.run(one_launch());
            ASSERT_EQ(outcome.end, End::finished) << count;
            EXPECT_EQ(outcome.applications, expected.applications) << count;
            EXPECT_EQ(engine.measures().launches, 1u) << count;
            EXPECT_EQ(engine.measures().roots, pending) << count;
            // No root was found by splitting pairs.
            EXPECT_EQ(engine.measures().splits, 0u) << count;
            std::string lines;
            engine.write_normal_form(plain_style(system),
                                     together.lines([&](std::string_view piece) { lines += piece; }));
            EXPECT_EQ(lines, forms) << count;
        }
    }
}

// The list of natural numbers that are each `element`.
TermId list_of(System const& system, Terms& terms, TermId element, unsigned length) {
    auto const symbol = [&](std::string const& name) {
        SymbolId id = 0;
        while (system.symbols.at(id).name != name)
            ++id;
        return id;
    };
    TermId list = terms.application(symbol("Nil"), {});
    for (unsigned i = 0; i < length; ++i) {
        TermId const cell[] = {element, list};
        list = terms.application(symbol("Cons"), cell);
    }
    return list;
}

// Every engine: term 5 grows without end, and the others keep their normal forms and their counts.
TEST_F(Spread, ATermThatIsTooLargeCostsNoOther) {
    std::string const rules =
        "sort Nat = Zero() | S(Nat) | Plus(Nat, Nat) | Grow(Nat);\nvar X, Y : Nat;\n"
        "eqn Plus(Zero(), Y) = Y; Plus(S(X), Y) = S(Plus(X, Y)); Grow(X) = S(Grow(S(X)));\n";
    for (bool const grows : {true, false}) {
        System system = parse_text(rules);
        std::string text;
        for (std::size_t i = 0; i < 9; ++i)
            text += grows && i == 5 ? "Grow(Zero)\n" : term_text(i) + "\n";
        Together const together(system, parse_terms(system, text, "terms"));
        std::vector<NamedEngine> engines;
        if (!sanitized) {
            engines.push_back({"one core", make_compiled_engine(system, 1)});
            engines.push_back({"four workers", make_compiled_engine(system, 4)});
        }
        jit::Device& device = jit::device_of(lockstep::tests::kernel_machine());
        engines.push_back({"fast", std::make_unique<FastEngine>(system, device, default_options())});
        for (NamedEngine const& named : engines) {
            Limits limits = test_limits();
            limits.memory = named.name == "fast" ? 1u << 20 : 1u << 25;
            std::vector<std::size_t> numbers;
            std::string lines;
            std::uint64_t rewrites = 0;
            auto const on_forms = [&](TermsOfRun const& run) {
                rewrites += run.outcome.rewrites();
                for (std::size_t i = 0; i < run.count; ++i)
                    numbers.push_back(run.first + i);
                named.engine->write_normal_form(plain_style(system),
                                                together.lines([&](std::string_view piece) { lines += piece; }));
                lines += "\n";
            };
            ManyTerms const many = rewrite_many(*named.engine, system.terms, together, limits, on_forms);
            EXPECT_EQ(many.total.end, grows ? End::out_of_memory : End::finished) << named.name;
            EXPECT_EQ(many.too_large, grows ? std::vector<std::size_t>{5} : std::vector<std::size_t>{}) << named.name;
            // Of nine terms in pairs of pairs: all, 0-7, 0-3, 4-7, 4-5, 4, 5, 6-7, 8.
            EXPECT_EQ(many.runs, grows ? 9u : 1u) << named.name;
            EXPECT_EQ(numbers, grows ? std::vector<std::size_t>({0, 1, 2, 3, 4, 6, 7, 8})
                                     : std::vector<std::size_t>({0, 1, 2, 3, 4, 5, 6, 7, 8}))
                << named.name;
            EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), static_cast<std::ptrdiff_t>(numbers.size()));
            // Sums of i % 5 and i % 5 + 1 take i % 5 + 1 rewrites; term 3 is a normal form.
            EXPECT_EQ(rewrites, grows ? 20u : 21u) << named.name;
            EXPECT_EQ(many.total.rewrites() > rewrites, grows) << named.name;
        }
    }
}

// Constructors above the roots stay where they are, unless several terms refer to them.
TEST_F(Spread, RootsAreBelowConstructorsThatOccurOnce) {
    System const one = parse_text(naturals + std::string("input S(S(Plus(S(Zero), S(Double(S(Zero))))));"));
    EXPECT_EQ(expect_the_oracles(one, one.terms, one.inputs[0], default_options(), "one root").roots, 1u);

    System system = parse_text(naturals + std::string("sort L = Nil() | Cons(Nat, L);"));
    TermId const element = parse_term(system, "S(Plus(S(Zero), S(Zero)))", "term");
    Terms terms = system.terms;
    TermId const list = list_of(system, terms, element, 3);
    // Every element is rewritten apart, as it is if the whole input is one task.
    std::vector<std::vector<std::uint64_t>> applications;
    for (std::size_t const max_roots : {1u, 2u, 100u}) {
        fast::Options options = default_options();
        options.max_roots = max_roots;
        FastEngine engine(system, jit::device_of(lockstep::tests::kernel_machine()), options);
        Ran const ran = run_engine(engine, terms, list);
        ASSERT_EQ(ran.outcome.end, End::finished);
        EXPECT_EQ(engine.measures().roots, max_roots == 100 ? 3u : max_roots);
        EXPECT_EQ(to_string(system, ran.terms, ran.normal_form),
                  "Cons(S(S(S(Zero))),Cons(S(S(S(Zero))),Cons(S(S(S(Zero))),Nil)))");
        applications.push_back(ran.outcome.applications);
        EXPECT_EQ(applications.back(), applications.front());
    }
}

std::string trees(std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i)
        text += "Again(S(S(S(S(S(S(S(S(Zero)))))))), S(S(S(S(S(S(S(S(S(S(S(S(Zero)))))))))))))\n";
    return text;
}

// Normal forms of finished roots survive collections, and with too little memory for a queue of all roots the input is
// one task.
TEST_F(Spread, RootsSurviveCollections) {
    System system = parse_text(
        "sort Nat = Zero() | S(Nat) | Copy(Nat) | Again(Nat, Nat); var X, Y : Nat;\n"
        "eqn Copy(Zero()) = Zero(); Copy(S(X)) = S(Copy(X)); Again(Zero(), Y) = Y;\n"
        "Again(S(X), Y) = Again(X, Copy(Y));\n");
    Together const together(system, parse_terms(system, trees(400), "terms"));
    fast::Options options = default_options();
    options.blocks = 1;
    Limits limits = test_limits();
    limits.memory = 1 << 20;
    Measures const measures = expect_the_oracles(system, system.terms, together.term(), options, "collected", limits);
    EXPECT_GE(measures.collections, 1u);
    EXPECT_EQ(measures.roots, 400u);
}

TEST_F(Spread, TooManyRootsForTheQueueAreOne) {
    System system = parse_text(naturals);
    std::string text;
    for (std::size_t i = 0; i < 600; ++i)
        text += "Plus(S(Zero), Zero)\n";
    Together const together(system, parse_terms(system, text, "terms"));
    fast::Options options = default_options();
    options.blocks = 1;
    options.block = 32;  // a GPU's block needs more memory than this limit
    Limits limits = test_limits();
    limits.memory = 256 << 10;
    Measures const measures = expect_the_oracles(system, system.terms, together.term(), options, "one", limits);
    EXPECT_EQ(measures.roots, 1u);
}

// Eight terms of one block: in one warp, or in eight.
TEST_F(Spread, WarpsComeBeforeLanes) {
    System system = parse_text(naturals);
    std::string text;
    for (std::size_t i = 0; i < 8; ++i)
        text += "Plus(S(S(S(S(Zero)))), Zero)\n";
    Together const together(system, parse_terms(system, text, "terms"));
    for (bool const warps_first : {false, true}) {
        fast::Options options = default_options();
        options.warps_first = warps_first;
        options.blocks = 1;
        options.first_blocks = 1;
        options.block = 256;
        Measures const measures = expect_the_oracles(system, system.terms, together.term(), options, "eight");
        EXPECT_EQ(measures.warps_with_work, warps_first ? 8u : 1u);
    }
}

struct Narrow {
    char const* name;
    System system;
    Terms terms;
    TermId input;
};

Narrow narrow_workload(char const* name, unsigned depth, unsigned elements) {
    Workload workload;
    workload.system = name;
    workload.depth = depth;
    workload.elements = elements;
    Narrow made = {name, system_of(workload), {}, 0};
    made.input = make_input(made.system, workload, made.terms);
    return made;
}

// Launches end while blocks have tasks, and the last four blocks are never called.
TEST_F(Spread, ShortLaunchesGiveTheSameResults) {
    Narrow const of = narrow_workload("queens", 1, lockstep::tests::under_thread_sanitizer ? 3 : 4);
    fast::Options options = default_options();
    options.cooperative = true;
    options.blocks = 12;
    options.first_blocks = 8;
    options.block = 64;
    options.busy_rounds = 1u << 20;
    options = fast::narrow_options(options);
    for (unsigned const rounds : {1u << 15, 8u}) {
        options.slice_rounds = rounds;
        for (std::uint64_t seed = 1; seed <= (shortened ? 1 : 2); ++seed) {
            simt::emulator::ScopedOptions const order({.order = LaneOrder::random, .seed = seed, .threads = 1});
            Measures const measures =
                expect_the_oracles(of.system, of.terms, of.input, options, std::to_string(rounds), one_launch());
            EXPECT_EQ(measures.launches == 1, rounds == 1u << 15);
        }
    }
}

// Where few lanes can have work, the longest way of a warp is shorter.
TEST_F(Spread, NarrowTermsTakeFewerTurns) {
    std::vector<Narrow> const workloads = {narrow_workload("queens", 1, shortened ? 3 : 4),
                                           narrow_workload("mapped_list_of_lists", shortened ? 3 : 4, 5),
                                           narrow_workload("list_of_lists", shortened ? 3 : 4, 5)};
    for (Narrow const& of : workloads) {
        std::uint64_t longest_plain = 0;
        for (unsigned const variant : {0u, 1u, 2u}) {
            bool const narrow = variant != 0;
            fast::Options options = variant == 2 ? walking_options() : narrow ? narrow_options() : default_options();
            options.max_roots = 1;
            options.slice_rounds = 1u << 15;
            options.cooperative = true;  // the emulator runs all blocks at the same time
            options.blocks = options.first_blocks = shortened ? 2 : 4;
            options.block = shortened ? 64 : 128;
            options.turns_startup = 2;
            options.turns_spreading = 4;
            options.turns_steady = 32;
            Measures const measures = expect_the_oracles(of.system, of.terms, of.input, options, of.name, one_launch());
            std::cout << of.name
                      << (variant == 2 ? ", walks"
                          : narrow     ? ", narrow"
                                       : ", plain")
                      << ": lane turns " << measures.lane_turns << ", warp turns " << measures.warp_turns
                      << ", longest " << measures.longest << ", rounds " << measures.rounds << ", splits "
                      << measures.splits << ", blocks " << measures.blocks_with_work << ", warps "
                      << measures.warps_with_work << "\n";
            if (narrow && lockstep::tests::kernel_machine() == simt::Machine::emulator) {
                EXPECT_LT(measures.longest, longest_plain) << of.name;
            }
            longest_plain = narrow ? longest_plain : measures.longest;
        }
    }
}

// A call becomes a part if it would wait for a recursive call that it does not need, and if nothing else needs its own
// inner calls.
TEST_F(Spread, PartsAreWhatWouldWait) {
    struct {
        char const* right;
        bool has_part;
    } const rules[] = {
        {"Sum(G(H(X)), F(X))", true},
        {"Sum(F(X), G(H(X)))", true},
        {"S(Sum(G(H(X)), F(X)))", true},
        {"Sum(G(X), F(X))", false},                // one level: both start at once
        {"Sum(G(H(X)), G(X))", false},             // no recursion
        {"Sum(G(H(X)), Sum(H(X), F(X)))", false},  // H(X) is one call, which the inner sum needs too
        {"G(H(F(X)))", false},                     // it needs the recursive call
    };
    for (auto const& [right, has_part] : rules) {
        System const system = parse_text(
            std::string("sort Nat = Zero() | S(Nat) | F(Nat) | G(Nat) | H(Nat) | Sum(Nat, Nat);\nvar X, Y : Nat;\n"
                        "eqn Sum(Zero(), Y) = Y; Sum(S(X), Y) = S(Sum(X, Y)); G(Zero()) = Zero(); G(S(X)) = S(S(G(X)));"
                        " H(Zero()) = Zero(); H(S(X)) = S(S(H(X))); F(Zero()) = S(Zero());\nF(S(X)) = ") +
            right + ";\ninput F(S(S(S(Zero()))));\n");
        fast::Options options = narrow_options();
        std::string const text = fast::make_program(system, options).text;
        EXPECT_EQ(text.find(", part") != std::string::npos, has_part) << right;
        options.independent_parts = false;
        EXPECT_EQ(fast::make_program(system, options).text.find(", part"), std::string::npos);
        if (!shortened)
            expect_the_oracles(system, system.terms, system.inputs[0], narrow_options(), right);
    }
}

// Many schedules of the emulator. Every workload is compiled, so each is a test.
struct Ordered {
    char const* system;
    unsigned depth, elements;
};

class SpreadInEveryOrder : public Spread, public testing::WithParamInterface<Ordered> {};

TEST_P(SpreadInEveryOrder, GivesTheSameResults) {
    auto const& [name, depth, elements] = GetParam();
    Narrow const of = narrow_workload(name, depth, elements);
    bool const emulated = lockstep::tests::kernel_machine() == simt::Machine::emulator;
    for (LaneOrder const order : {LaneOrder::ascending, LaneOrder::descending, LaneOrder::random, LaneOrder::unfair}) {
        bool const is_fixed = order == LaneOrder::ascending || order == LaneOrder::descending;
        if (shortened && !emulated && order != LaneOrder::random)
            continue;  // a GPU has its own order
        if (sanitized && is_fixed)
            continue;  // sanitizers look for races and accesses, for which orders that differ between warps suffice
        for (std::uint64_t seed = 0; seed < (emulated && !shortened ? 2 : 1); ++seed) {
            simt::emulator::Options scope_options;
            scope_options.order = order;
            scope_options.seed = seed;
            simt::emulator::ScopedOptions const scope(scope_options);
            for (unsigned const variant : {0u, 1u, 2u}) {
                fast::Options options = variant == 2 ? walking_options() : narrow_options();
                options.warps_first = variant != 0;
                options.cooperative = true;
                options.blocks = options.first_blocks = 3;
                options.block = 64;
                options.slice_rounds = 64;
                expect_the_oracles(of.system, of.terms, of.input, options, of.name);
            }
        }
    }
}

std::vector<Ordered> ordered_workloads() {
    return {{"queens", 1, shortened ? 2u : 4u},
            {"quick_sort", 1, shortened ? 4u : 12u},
            {"mapped_list_of_lists", 3, 4},
            {"transformation_tree", 5, 1},
            {"sieve", 1, shortened ? 5u : 15u}};
}

INSTANTIATE_TEST_SUITE_P(Workloads, SpreadInEveryOrder, testing::ValuesIn(ordered_workloads()),
                         [](auto const& tested) { return std::string(tested.param.system); });

TEST_F(Spread, RandomSystems) {
    unsigned const systems = shortened ? 1 : 6;
    for (unsigned seed = 101; seed <= 100 + systems; ++seed) {
        System const system = parse_text(RandomSystem(seed).text(), "random" + std::to_string(seed) + ".rec");
        std::unique_ptr<Engine> const oracle = make_oracle(system);
        for (TermId const input : system.inputs) {
            Limits limits = test_limits();
            limits.rewrites = 5000;
            if (run_engine(*oracle, system.terms, input, limits).outcome.end == End::finished)
                for (fast::Options const& options : {narrow_options(), walking_options()})
                    expect_the_oracles(system, system.terms, input, options, "seed " + std::to_string(seed));
        }
    }
}

}  // namespace
}  // namespace lockstep::term_rewriting
