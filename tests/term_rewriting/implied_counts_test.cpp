// Rules that generated code does not count have the oracle's numbers of applications.

#include "baselines/term_rewriting/compiled/implied_counts.hpp"
#include "baselines/term_rewriting/compiled/generate_cpp.hpp"
#include "tests/term_rewriting/common.hpp"

namespace lockstep::term_rewriting {
namespace {

std::string text_of(std::string const& rules) {
    return "sort T = A() | S(T) | F(T) | G(T) | H(T) | P(T, T); var X, Y : T; eqn " + rules;
}

// The numbers of the rules that are not counted, in order.
std::vector<RuleId> implied_in(System const& system) {
    compiled::NormalSymbols const normal(system);
    compiled::ImpliedCounts const implied(system, normal);
    std::vector<RuleId> rules;
    for (RuleId rule = 0; rule < system.rules.size(); ++rule) {
        if (implied.is_implied(rule))
            rules.push_back(rule);
    }
    return rules;
}

std::vector<RuleId> implied_by(std::string const& rules) {
    return implied_in(parse_text(text_of(rules + " input F(A());")));
}

using Rules = std::vector<RuleId>;

TEST(ImpliedCounts, AFunctionHasOneRuleThatIsNotCounted) {
    EXPECT_EQ(implied_by("F(S(X)) = X; F(X) = A();"), Rules{1}) << "the one with the smallest pattern";
    EXPECT_EQ(implied_by("F(X) = G(X); G(X) = H(X); H(X) = A();"), (Rules{0, 1, 2}));
}

TEST(ImpliedCounts, ACycleKeepsACountedRule) {
    EXPECT_EQ(implied_by("F(X) = F(X);"), Rules{});
    EXPECT_EQ(implied_by("F(S(X)) = F(X); F(X) = A();"), Rules{1});
    EXPECT_EQ(implied_by("F(X) = G(X); G(X) = H(X); H(X) = F(X);"), (Rules{0, 1}));
}

TEST(ImpliedCounts, AFunctionThatMayBeStuckIsCounted) { EXPECT_EQ(implied_by("F(S(X)) = X; G(X) = X;"), Rules{1}); }

TEST(ImpliedCounts, CallsInConditionsAreCounted) {
    System const system = parse_text(R"(REC-SPEC Conditions
SORTS
  T
CONS
  a : -> T
  b : -> T
OPNS
  f : T -> T
  g : T -> T
VARS
  x : T
RULES
  f(x) -> a if g(x) = b
  f(x) -> b
  g(a) -> b
  g(b) -> a
EVAL
  f(a)
END-SPEC
)",
                                     "conditions.rec");
    EXPECT_EQ(implied_in(system), Rules{0}) << "none of g";
}

TEST(ImpliedCounts, OperationsAreCounted) {
    System const system = parse_system(systems_folder + "integers.trs", bench::read_file);
    EXPECT_EQ(implied_in(system), Rules{});
}

// The input calls functions too, and a shared term is one call.
TEST(ImpliedCounts, AreThoseOfTheOracle) {
    System const system = parse_text(
        text_of("F(S(X)) = P(F(X), F(X)); F(A()) = G(A()); G(X) = P(H(S(X)), H(X)); H(S(X)) = H(X); H(A()) = A(); "
                "input P(F(S(S(A()))), P(G(H(A())), F(F(A()))));"));
    std::vector<std::uint64_t> of_oracle;
    for (NamedEngine const& named : all_engines(system)) {
        Ran const ran = run_engine(*named.engine, system.terms, system.inputs[0]);
        if (of_oracle.empty())
            of_oracle = ran.outcome.applications;
        EXPECT_EQ(ran.outcome.applications, of_oracle) << named.name;
    }
}

// Though only one rule of the cycle is counted.
TEST(ImpliedCounts, AnEndlessCycleReachesTheLimit) {
    System const system = parse_text(text_of("F(X) = G(X); G(X) = S(H(X)); H(X) = F(X); input F(A());"));
    for (std::size_t const workers : {1u, 4u}) {
        std::unique_ptr<Engine> const engine = make_compiled_engine(system, workers);
        Limits limits = test_limits();
        limits.rewrites = 100000;
        engine->load(system.terms, system.inputs[0]);
        Outcome const outcome = engine->run(limits);
        EXPECT_EQ(outcome.end, End::too_many_rewrites);
        EXPECT_GT(outcome.rewrites(), limits.rewrites);
    }
}

}  // namespace
}  // namespace lockstep::term_rewriting
