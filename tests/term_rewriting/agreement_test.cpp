// Every engine gives the normal forms and the counts that stand in tests/term_rewriting/expected, rule by rule those of
// the oracle.

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
            rewrites += ran.outcome.rewrites();
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

// The limit is the number of rewrites that are allowed, not one less or more.
TEST(Limits, RewritesAreCountedToTheLastOne) {
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

// Far more terms grow old than fit, and few of them are live: the old space has to be collected, also while four
// workers hold terms of it.
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
                              Twice(S(S(S(S(S(S(S(S(S(S(S(S(S(Zero()))))))))))))))));
    Grow(S(X)) = Node(Grow(X), Grow2(X));
    Grow2(Zero()) = Grow(Zero());
    Grow2(S(X)) = Node(Grow(X), Grow2(X));
input Grow(S(S(Zero())));
)");
    std::uint64_t digest = 0;
    std::uint64_t rewrites = 0;
    for (NamedEngine const& named : all_engines(system)) {
        Limits limits = test_limits();
        if (named.name != "oracle")
            limits.memory = 14 << 20;  // of 4 * 21 * 128 KiB that grow old
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

TEST(Engine, NamesWhatThereIs) {
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
