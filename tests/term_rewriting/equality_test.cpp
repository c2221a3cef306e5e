// Left sides that repeat a variable.

#include "baselines/term_rewriting/emit.hpp"
#include "tests/term_rewriting/common.hpp"
#include "tests/term_rewriting/random_system.hpp"

namespace lockstep::term_rewriting {
namespace {

// Counted by hand: =(T) holds for p(a, b) and p(a, b) after =(T) on the pair, on a and a, and on b and b, and `then`
// between them. For p(b, a) and p(a, a) the first arguments differ, so nothing is compared after them.
TEST(Equality, ItsComparisonsAreCountedApart) {
    System system = parse_text(
        "sort T = a() | b() | p(T, T) | f(T, T) | g(T);\nvar X, Y : T;\n"
        "eqn f(X, X) = X; f(X, Y) = g(Y); g(a()) = b();\n");
    struct Case {
        std::string term;
        std::string normal_form;
        RuleCounts counts;
    };
    for (Case const& expected :
         {Case{"f(p(a, b), p(a, b))", "p(a,b)", {1, 4}}, Case{"f(p(b, a), p(a, a))", "g(p(a,a))", {1, 3}},
          Case{"f(g(b), g(b))", "g(b)", {1, 2}}, Case{"f(a, g(a))", "g(b)", {2, 1}}}) {
        TermId const input = parse_term(system, expected.term, "term");
        for (NamedEngine const& named : all_engines(system)) {
            Ran const ran = run_engine(*named.engine, system.terms, input);
            ASSERT_EQ(ran.outcome.end, End::finished);
            EXPECT_EQ(to_string(system, ran.terms, ran.normal_form), expected.normal_form) << named.name;
            RuleCounts const counts = system.counts_of(ran.outcome.applications);
            EXPECT_EQ(counts.rewrites, expected.counts.rewrites) << named.name << ": " << expected.term;
            EXPECT_EQ(counts.comparisons, expected.counts.comparisons) << named.name << ": " << expected.term;
        }
    }
    EXPECT_EQ(to_string(system, system.rules[0].left, &system.rules[0]), "f(X,X)");
    EXPECT_EQ(system.rules[0].conditions.size(), 1u);
}

TEST(Equality, ASortGetsOneOnlyIfARuleNeedsIt) {
    std::string const sorts = "sort A = a(); B = b(A) | f(B, B, A); C = c();\nvar X : B; Y, Z : A;\n";
    EXPECT_EQ(parse_text(sorts + "eqn f(X, b(Y), Z) = X;").symbols.size(), 4u);
    System const system = parse_text(sorts + "eqn f(X, b(Y), Y) = X; f(X, X, Y) = X;");
    // =(Bool): true and false; =(A), =(B), each with `then`; A has one symbol, B two.
    EXPECT_EQ(system.symbols.size(), 4u + 2 + 4);
    EXPECT_EQ(system.rules.size(), 2u + (1 + 3) + (2 + 3));
    EXPECT_EQ(parse_text(sorts + "eqn f(X, b(Y), Y) = X;").rules.size(), 1u + 4);
}

// One system with repeated variables, and one in which each repetition is a variable of its own that a condition of the
// user's compares: the same normal forms, and the same rewrites.
TEST(Equality, RandomSystemsAgreeWithConditions) {
    constexpr unsigned systems = sanitized ? 2 : 8;
    std::uint64_t comparisons = 0;
    for (unsigned seed = 1; seed <= systems; ++seed) {
        System const repeated = parse_text(RandomSystem(seed, Repeat::variables).text(), "repeated.rec");
        System const compared = parse_text(RandomSystem(seed, Repeat::in_conditions).text(), "compared.rec");
        ASSERT_EQ(repeated.inputs.size(), compared.inputs.size());
        std::vector<NamedEngine> const engines = all_engines(repeated);
        std::unique_ptr<Engine> const reference = make_oracle(compared);
        for (std::size_t i = 0; i < repeated.inputs.size(); ++i) {
            Limits limits = test_limits();
            limits.rewrites = 200000;
            limits.memory = 256 << 20;
            Ran const expected = run_engine(*reference, compared.terms, compared.inputs[i], limits);
            std::vector<std::uint64_t> first;
            for (NamedEngine const& named : engines) {
                Ran const ran = run_engine(*named.engine, repeated.terms, repeated.inputs[i], limits);
                if (expected.outcome.end != End::finished || ran.outcome.end != End::finished)
                    break;
                EXPECT_TRUE(equal_terms(ran.terms, ran.normal_form, expected.terms, expected.normal_form))
                    << "seed " << seed << " on " << named.name << ": " << to_string(repeated, repeated.inputs[i]);
                RuleCounts const counts = repeated.counts_of(ran.outcome.applications);
                EXPECT_EQ(counts.rewrites, expected.outcome.rewrites()) << "seed " << seed << " on " << named.name;
                comparisons += counts.comparisons;
                if (first.empty())
                    first = ran.outcome.applications;
                EXPECT_EQ(ran.outcome.applications, first) << "seed " << seed << " on " << named.name;
            }
        }
    }
    EXPECT_GE(comparisons, 20u * systems);
}

TEST(Equality, IsWrittenForOtherTools) {
    System const system = parse_text("sort T = a() | f(T, T);\nvar X : T;\neqn f(X, X) = X;\ninput f(a(), a());\n");
    std::string maude;
    emit_maude(system, [&](std::string_view piece) { maude += piece; });
    EXPECT_NE(maude.find(" if "), std::string::npos);
    EXPECT_EQ(maude.find("f(V0:T-s,V0"), std::string::npos);
    std::string ocaml;
    emit_ocaml(system, [&](std::string_view piece) { ocaml += piece; });
    EXPECT_FALSE(ocaml.empty());
}

}  // namespace
}  // namespace lockstep::term_rewriting
