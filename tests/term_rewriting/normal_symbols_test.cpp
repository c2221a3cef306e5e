// Which defined symbols occur in normal forms, and that generated C++ relies on it only where it holds.

#include "baselines/term_rewriting/compiled/normal_symbols.hpp"

#include "baselines/term_rewriting/compiled/generate_cpp.hpp"
#include "tests/term_rewriting/common.hpp"

namespace lockstep::term_rewriting {
namespace {

std::string occurring(System const& system) {
    compiled::NormalSymbols const normal(system);
    std::string names;
    for (SymbolId symbol = 0; symbol < system.symbols.size(); ++symbol) {
        if (system.symbols[symbol].defined && normal.occurs(symbol))
            names += (names.empty() ? "" : " ") + system.symbols[symbol].name;
    }
    return names;
}

std::string const numbers = R"(
sort Nat = Zero() | S(Nat) | Plus(Nat, Nat) | Half(Nat) | Before(Nat) | Same(Nat);
     Bool = True() | False() | Not(Bool) | Even(Nat);
var X, Y : Nat;
eqn Plus(Zero(), Y) = Y;
    Plus(S(X), Y) = S(Plus(X, Y));
    Half(Zero()) = Zero();
    Half(S(Zero())) = Zero();
    Half(S(S(X))) = S(Half(X));
    Same(X) = X;
    Not(True()) = False();
    Not(False()) = True();
    Even(Zero()) = True();
    Even(S(X)) = Not(Even(X));
)";

TEST(NormalSymbols, FunctionsThatCoverTheConstructorsDoNotOccur) {
    EXPECT_EQ(occurring(parse_text(numbers + "Before(X) = X;\n")), "");
    EXPECT_EQ(occurring(parse_system(systems_folder + "queens.rec", bench::read_file)), "");
}

// One function that may be stuck makes every other function stuck that looks at its sort.
TEST(NormalSymbols, AStuckFunctionSpreads) {
    EXPECT_EQ(occurring(parse_text(numbers + "Before(S(X)) = X;\n")), "Plus Half Before Not Even");
}

TEST(NormalSymbols, AConditionMayFail) {
    EXPECT_EQ(occurring(parse_text(R"(REC-SPEC Conditions
SORTS
  T
CONS
  a : -> T
  b : -> T
OPNS
  f : T -> T
  g : T -> T
  h : T -> T
VARS
  x : T
RULES
  f(x) -> a if x = b
  g(x) -> a if x = b
  g(x) -> b
  h(a) -> b
  h(b) -> a
EVAL
  f(a)
END-SPEC
)",
                                   "conditions.rec")),
              "f h");
}

TEST(NormalSymbols, CompleteFunctionsHaveNoCodeForStuckTerms) {
    std::string const complete = compiled::generate_cpp(parse_text(numbers + "Before(X) = X;\n"), false);
    std::string const partial = compiled::generate_cpp(parse_text(numbers + "Before(S(X)) = X;\n"), false);
    // A stuck term is built from the function's own arguments.
    std::string const stuck = "Terms::head(4, p0)";
    EXPECT_EQ(complete.find(stuck), std::string::npos);
    EXPECT_NE(partial.find(stuck), std::string::npos);
}

// A rule polls if it allocates or may lead back to its own function. Others do not pay for it.
TEST(NormalSymbols, OnlyRulesThatAllocateOrRecurPoll) {
    auto const polls = [](std::string const& rules) {
        std::string const text = compiled::generate_cpp(
            parse_text("sort T = A() | S(T) | F(T) | G(T) | H(T); var X : T; eqn " + rules + " input F(A());"), false);
        std::string const generated = text.substr(text.find("// Generated"));
        return generated.find("has_room(") != generated.npos;
    };
    EXPECT_FALSE(polls("F(X) = G(X); G(X) = A(); H(S(X)) = X; H(A()) = A();"));
    EXPECT_TRUE(polls("F(X) = F(X); G(X) = A(); H(X) = X;")) << "a tail call of itself";
    EXPECT_TRUE(polls("F(X) = G(X); G(X) = H(X); H(X) = F(X);")) << "by way of others";
    EXPECT_TRUE(polls("F(X) = S(X); G(X) = A(); H(X) = X;")) << "an allocation";
}

// Constants are immediate values: as an input, as a normal form of a defined symbol, inside stuck terms, as arguments
// of functions with more arguments than registers, and in conditions.
TEST(NormalSymbols, ImmediateValuesEverywhere) {
    System const system = parse_text(R"(REC-SPEC Immediate
SORTS
  T
CONS
  a : -> T
  b : -> T
  one : T -> T
  eight : T T T T T T T T -> T
OPNS
  stuck : -> T
  start : -> T
  f : T -> T
  g : T -> T
  h : T T T T T T T T -> T
  same : T T -> T
VARS
  x y p q r s u v : T
RULES
  stuck -> a if a = b
  start -> one(stuck)
  f(a) -> b
  f(one(x)) -> one(f(x))
  g(x) -> same(x, one(b))
  h(x, y, p, q, r, s, u, a) -> eight(a, u, s, r, q, p, y, f(x))
  h(x, y, p, q, r, s, u, v) -> h(v, u, s, r, q, p, y, a)
  same(x, y) -> a if x = y
  same(x, y) -> b
EVAL
  a
  stuck
  start
  f(a)
  f(b)
  f(start)
  f(one(one(a)))
  g(one(b))
  g(b)
  g(one(stuck))
  h(a, b, a, b, stuck, one(a), b, b)
  same(f(f(a)), f(b))
  same(stuck, stuck)
END-SPEC
)",
                                     "immediate.rec");
    std::unique_ptr<Engine> const oracle = make_oracle(system);
    std::vector<NamedEngine> engines = all_engines(system);
    engines.push_back({"wide", make_compiled_engine(system, 1, false)});
    for (TermId const input : system.inputs) {
        Ran const expected = run_engine(*oracle, system.terms, input);
        std::string const form = to_string(system, expected.terms, expected.normal_form);
        for (NamedEngine const& named : engines) {
            Ran const ran = run_engine(*named.engine, system.terms, input);
            ASSERT_EQ(ran.outcome.end, End::finished) << named.name << form;
            EXPECT_EQ(to_string(system, ran.terms, ran.normal_form), form) << named.name;
            EXPECT_EQ(ran.outcome.applications, expected.outcome.applications) << named.name << form;
            named.engine->load(system.terms, input);
            ASSERT_EQ(named.engine->run(test_limits()).end, End::finished);
            EXPECT_EQ(named.engine->normal_form_digest(), digest_of(expected.terms, expected.normal_form));
            named.engine->run(test_limits());
            std::string written;
            named.engine->write_normal_form(plain_style(system), [&](std::string_view piece) { written += piece; });
            EXPECT_EQ(written, form) << named.name;
        }
    }
}

}  // namespace
}  // namespace lockstep::term_rewriting
