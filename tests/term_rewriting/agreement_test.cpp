// Every engine computes the normal forms and the counts in tests/term_rewriting/expected, and the oracle's counts per
// rule.

#include "tests/term_rewriting/common.hpp"

namespace lockstep::term_rewriting {
namespace {

std::vector<std::string> systems() {
    std::vector<std::string> names;
    for (auto const& entry : std::filesystem::directory_iterator(systems_folder)) {
        if (entry.path().filename().string().rfind("endless", 0) != 0)
            names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

class EverySystem : public testing::TestWithParam<std::string> {};

TEST_P(EverySystem, HasItsNormalFormAndCountOnEveryEngine) {
    System const system = parse_system(systems_folder + GetParam(), bench::read_file);
    std::string const stem = std::filesystem::path(GetParam()).stem().string();
    std::string const expected = bench::read_file("tests/term_rewriting/expected/" + stem + ".txt");
    std::vector<std::uint64_t> of_oracle;
    for (NamedEngine const& named : all_engines(system)) {
        std::vector<std::uint64_t> applications(system.rules.size());
        std::string forms;
        std::uint64_t rewrites = 0;
        for (TermId const input : system.inputs) {
            Ran const ran = run_engine(*named.engine, system.terms, input);
            ASSERT_EQ(ran.outcome.end, End::finished) << named.name;
            for (std::size_t rule = 0; rule < applications.size(); ++rule)
                applications[rule] += ran.outcome.applications[rule];
            rewrites += system.counts_of(ran.outcome.applications).rewrites;
            if (named.name == "one core" || named.name == "four workers") {
                named.engine->load(system.terms, input);  // because a normal form can be taken only once per run
                named.engine->run(test_limits());
                EXPECT_EQ(named.engine->normal_form_digest(), digest_of(ran.terms, ran.normal_form)) << named.name;
            }
            forms += to_string(system, ran.terms, ran.normal_form) + "\n";
        }
        EXPECT_EQ("rewrites " + std::to_string(rewrites) + "\n" + forms, expected) << named.name;
        if (of_oracle.empty())
            of_oracle = applications;
        EXPECT_EQ(applications, of_oracle) << named.name;
    }
}

std::string stem_of(testing::TestParamInfo<std::string> const& tested) {
    return std::filesystem::path(tested.param).stem().string();
}

INSTANTIATE_TEST_SUITE_P(Systems, EverySystem, testing::ValuesIn(systems()), stem_of);

TEST(Systems, AreAtLeastTwentyFive) { EXPECT_GE(systems().size(), 25u); }

TEST(Limits, EveryEngineEndsEveryEndlessSystem) {
    for (std::string const name : {"endless_loop", "endless_depth", "endless_growth"}) {
        System const system = parse_system(systems_folder + name + ".trs", bench::read_file);
        for (NamedEngine const& named : all_engines(system)) {
            Limits limits = test_limits();
            limits.rewrites = 5000;
            EXPECT_EQ(run_engine(*named.engine, system.terms, system.inputs[0], limits).outcome.end,
                      End::too_many_rewrites)
                << name << " on " << named.name;
            if (name == "endless_loop") {
                limits = test_limits();
                limits.seconds = 0.05;
                EXPECT_EQ(run_engine(*named.engine, system.terms, system.inputs[0], limits).outcome.end,
                          End::out_of_time)
                    << named.name;
            } else {
                limits = test_limits();
                limits.memory = 16 << 20;
                EXPECT_EQ(run_engine(*named.engine, system.terms, system.inputs[0], limits).outcome.end,
                          End::out_of_memory)
                    << name << " on " << named.name;
            }
        }
    }
}

// The limit is exactly the number of permitted rewrites.
TEST(Limits, RewriteLimitsAreExact) {
    System const system = parse_system(systems_folder + "lists.rec", bench::read_file);
    for (NamedEngine const& named : all_engines(system)) {
        Limits limits = test_limits();
        limits.rewrites = 10;
        EXPECT_EQ(run_engine(*named.engine, system.terms, system.inputs[0], limits).outcome.end, End::finished);
        limits.rewrites = 9;
        EXPECT_EQ(run_engine(*named.engine, system.terms, system.inputs[0], limits).outcome.end,
                  End::too_many_rewrites);
    }
}

// Far more terms are promoted than fit, and few of them are live, so the old space must be collected even while four or
// eight workers hold its terms.
TEST(Memory, OldGarbageIsCollected) {
    System const system = parse_text(R"(
sort Nat = Zero() | S(Nat) | Copy(Nat) | Again(Nat, Nat) | Twice(Nat) | Double(Nat);
     Tree = Grow(Nat) | Grow2(Nat) | Node(Tree, Tree) | Leaf(Nat);
var X, Y : Nat;
eqn Copy(Zero()) = Zero();
    Copy(S(X)) = S(Copy(X));
    Again(Zero(), Y) = Y;
    Again(S(X), Y) = Again(X, Copy(Y));
    Twice(Zero()) = S(Zero());
    Twice(S(X)) = Double(Twice(X));
    Double(Zero()) = Zero();
    Double(S(X)) = S(S(Double(X)));
    Grow(Zero()) = Leaf(Again(S(S(S(S(S(S(S(S(S(S(S(S(S(S(S(S(S(S(S(S(Zero())))))))))))))))))))),
                              Twice(S(S(S(S(S(S(S(S(S(S(S(S(S(S(Zero())))))))))))))))));
    Grow(S(X)) = Node(Grow(X), Grow2(X));
    Grow2(Zero()) = Grow(Zero());
    Grow2(S(X)) = Node(Grow(X), Grow2(X));
input Grow(S(S(Zero())));
)");
    std::uint64_t digest = 0;
    std::uint64_t rewrites = 0;
    std::vector<NamedEngine> engines = all_engines(system);
    engines.push_back({"eight workers", make_compiled_engine(system, 8)});
    for (NamedEngine const& named : engines) {
        Limits limits = test_limits();
        if (named.name == "eight workers")
            limits.memory = 18 << 20;  // eight nurseries need more
        else if (named.name != "oracle")
            limits.memory = 14 << 20;  // 4 * 21 * 128 KiB are promoted
        Ran const ran = run_engine(*named.engine, system.terms, system.inputs[0], limits);
        ASSERT_EQ(ran.outcome.end, End::finished) << named.name;
        if (digest == 0) {
            digest = digest_of(ran.terms, ran.normal_form);
            rewrites = ran.outcome.rewrites();
        }
        EXPECT_EQ(digest_of(ran.terms, ran.normal_form), digest) << named.name;
        EXPECT_EQ(ran.outcome.rewrites(), rewrites) << named.name;
    }
}

// In a system with many symbols, a term's head and its first argument do not fit into the narrow form. The rules use
// the last symbols, so that a truncated symbol would be a different one.
TEST(Memory, ManySymbolsTakeTheWideForm) {
    std::string text = "sort T = ";
    for (unsigned i = 0; i < 17000; ++i)
        text += "c" + std::to_string(i) + "() | ";
    text += R"(Pair(T, T) | One(T) | Swap(T) | Deep(T);
var X, Y : T;
eqn Swap(Pair(X, Y)) = Pair(Swap(Y), Swap(X));
    Swap(c16999()) = One(c616());
    Swap(c615()) = c16998();
    Deep(One(X)) = One(Deep(X));
    Deep(c1()) = Pair(c16385(), One(c1()));
input Swap(Pair(Pair(c16999(), Deep(One(One(c1())))), c615()));
)";
    System const system = parse_text(text);
    std::string const expected = "Pair(c16998,Pair(Swap(One(One(Pair(c16385,One(c1))))),One(c616)))";
    for (NamedEngine const& named : all_engines(system)) {
        Ran const ran = run_engine(*named.engine, system.terms, system.inputs[0]);
        ASSERT_EQ(ran.outcome.end, End::finished) << named.name;
        EXPECT_EQ(to_string(system, ran.terms, ran.normal_form), expected) << named.name;
        EXPECT_EQ(ran.outcome.rewrites(), 7u) << named.name;
    }
}

// The wide form of terms, with conditions, symbols with many arguments, and a heap that must be collected.
TEST(Memory, TheWideFormGivesTheSameResults) {
    for (std::string const file : {"quick_sort.rec", "hundred_arguments.trs", "tree_merge_sort.trs"}) {
        System const system = parse_system(systems_folder + file, bench::read_file);
        std::unique_ptr<Engine> const oracle = make_oracle(system);
        for (std::size_t const workers : {1, 4}) {
            std::unique_ptr<Engine> const wide = make_compiled_engine(system, workers, false);
            for (TermId const input : system.inputs) {
                Ran const expected = run_engine(*oracle, system.terms, input);
                Ran const ran = run_engine(*wide, system.terms, input);
                ASSERT_EQ(ran.outcome.end, End::finished) << file;
                EXPECT_TRUE(equal_terms(ran.terms, ran.normal_form, expected.terms, expected.normal_form)) << file;
                EXPECT_EQ(ran.outcome.applications, expected.outcome.applications) << file;
            }
        }
    }
}

// The output of `lockstep rewrite`: written in pieces without a copy of the terms, with spines in the first and in the
// last argument that are longer than any call stack, and with shared terms at every position.
TEST(Engine, WritesItsNormalForm) {
    System system = parse_text(R"(
sort Nat = Zero() | S(Nat) | Double(Nat) | Power(Nat);
     T = Leaf() | Left(T, Nat) | Right(Nat, T) | Both(T, T) | GrowLeft(Nat) | GrowRight(Nat) | Full(Nat);
var X : Nat;
eqn Double(Zero()) = Zero();
    Double(S(X)) = S(S(Double(X)));
    Power(Zero()) = S(Zero());
    Power(S(X)) = Double(Power(X));
    GrowLeft(Zero()) = Leaf();
    GrowLeft(S(X)) = Left(GrowLeft(X), S(Zero()));
    GrowRight(Zero()) = Leaf();
    GrowRight(S(X)) = Right(Zero(), GrowRight(X));
    Full(Zero()) = Leaf();
    Full(S(X)) = Both(Full(X), Full(X));
)");
    auto const number = [](unsigned value) {
        std::string text = "Zero";
        for (unsigned i = 0; i < value; ++i)
            text = "S(" + text + ")";
        return text;
    };
    std::string const input = "Both(Both(GrowLeft(Power(" + number(12) + ")), GrowRight(Power(" + number(12) +
                              "))), Full(" + number(8) + "))";
    system.inputs.assign(1, parse_term(system, input, "input"));
    std::string const expected = [] {
        std::string left = "Leaf";
        std::string right = "Leaf";
        for (unsigned i = 0; i < 4096; ++i) {
            left = "Left(" + left + ",S(Zero))";
            right = "Right(Zero," + right + ")";
        }
        std::string full = "Leaf";
        for (unsigned i = 0; i < 8; ++i)
            full = "Both(" + full + "," + full + ")";
        return "Both(Both(" + left + "," + right + ")," + full + ")";
    }();
    for (NamedEngine const& named : all_engines(system)) {
        named.engine->load(system.terms, system.inputs[0]);
        ASSERT_EQ(named.engine->run(test_limits()).end, End::finished) << named.name;
        std::string text;
        std::size_t largest = 0;
        named.engine->write_normal_form(plain_style(system), [&](std::string_view piece) {
            text += piece;
            largest = std::max(largest, piece.size());
        });
        EXPECT_EQ(text, expected) << named.name;
        EXPECT_LE(largest, std::size_t{1} << 18) << named.name;
    }
}

// Tasks of uneven size, most of them too small to share, and a second run of the same workers.
TEST(Sharing, ManyWorkersOnUnevenTrees) {
    System system = parse_text(R"(
sort Nat = Zero() | S(Nat) | Plus(Nat, Nat) | Fibonacci(Nat);
     T = Leaf(Nat) | Node(T, T) | Uneven(Nat) | Side(Nat);
var X, Y : Nat;
eqn Plus(Zero(), Y) = Y;
    Plus(S(X), Y) = S(Plus(X, Y));
    Fibonacci(Zero()) = Zero();
    Fibonacci(S(Zero())) = S(Zero());
    Fibonacci(S(S(X))) = Plus(Fibonacci(S(X)), Fibonacci(X));
    Uneven(Zero()) = Leaf(Zero());
    Uneven(S(X)) = Node(Uneven(X), Side(X));
    Side(Zero()) = Leaf(Zero());
    Side(S(X)) = Node(Leaf(Fibonacci(X)), Uneven(X));
input Uneven(S(S(S(S(S(S(S(S(S(S(S(S(S(S(Zero())))))))))))))));
)");
    std::unique_ptr<Engine> const oracle = make_oracle(system);
    Ran const expected = run_engine(*oracle, system.terms, system.inputs[0]);
    for (std::size_t const workers : {2, 3, 8}) {
        std::unique_ptr<Engine> const engine = make_compiled_engine(system, workers);
        for (unsigned run = 0; run < 2; ++run) {
            Ran const ran = run_engine(*engine, system.terms, system.inputs[0]);
            ASSERT_EQ(ran.outcome.end, End::finished) << workers;
            EXPECT_EQ(ran.outcome.applications, expected.outcome.applications) << workers;
            EXPECT_TRUE(equal_terms(ran.terms, ran.normal_form, expected.terms, expected.normal_form)) << workers;
        }
    }
}

TEST(Engine, RunsTheSameInputAgain) {
    System const system = parse_system(systems_folder + "tree_fold.trs", bench::read_file);
    for (NamedEngine const& named : all_engines(system)) {
        named.engine->load(system.terms, system.inputs[0]);
        Outcome const first = named.engine->run(test_limits());
        Outcome const second = named.engine->run(test_limits());
        EXPECT_EQ(first.applications, second.applications) << named.name;
        Terms terms;
        EXPECT_EQ(tree_size(terms, named.engine->normal_form(terms)), 1025u) << named.name;
    }
}

TEST(Engine, SuggestsKnownNames) {
    System const system = parse_system(systems_folder + "lists.rec", bench::read_file);
    try {
        make_engine(system, "oracle", "cuda");
        FAIL();
    } catch (bench::Error const& error) {
        EXPECT_NE(std::string(error.what()).find("engine oracle does not rewrite on machine cuda"), std::string::npos);
    }
    EXPECT_THROW(make_engine(system, "fastest", "auto"), bench::Error);
}

}  // namespace
}  // namespace lockstep::term_rewriting
