// TPDB's format: what is read, and the location and reason of what is refused.

#include "tests/term_rewriting/common.hpp"

namespace lockstep::term_rewriting {
namespace {

std::string rewritten(System system, std::string const& term) {
    TermId const input = parse_term(system, term, "--term");
    std::unique_ptr<Engine> const oracle = make_oracle(system);
    Ran const ran = run_engine(*oracle, system.terms, input);
    return to_string(system, ran.terms, ran.normal_form);
}

TEST(Tpdb, ReadsNamesCommentsAndArities) {
    System const system = parse_text(R"((COMMENT a comment with (parentheses), "quotes" and
 (VAR nothing) )
(VAR x y)
(RULES
  +(0, y) -> y
  +(s(x), y) -> s(+(x,y))
  -(x,0())->x
  f'{#}(x) -> nil
)
(STRATEGY INNERMOST)
)");
    EXPECT_EQ(system.language, Language::tpdb);
    EXPECT_EQ(system.symbols.size(), 6u);
    EXPECT_EQ(rewritten(system, "+(s(s(0)), s(0()))"), "s(s(s(0)))");
    EXPECT_EQ(rewritten(system, "f'{#}(-(nil, 0))"), "nil");
    EXPECT_EQ(parse_text(" (VAR)\n(RULES)\n(SIG (f 2) (a 0))", "a.txt").symbols.size(), 2u);
}

TEST(Tpdb, ReadsJoinConditionsAndRepeatedVariables) {
    System const system = parse_text(R"((CONDITIONTYPE JOIN)
(VAR x y)
(RULES f(x, y) -> a | x == b, y == b
       f(x, x) -> c
       d -> b))");
    EXPECT_EQ(rewritten(system, "f(d, b)"), "a");
    EXPECT_EQ(rewritten(system, "f(a, f(a, a))"), "f(a,c)");
}

TEST(Tpdb, RefusesWithItsLocation) {
    struct Refused {
        std::string text;
        std::string location;
        std::string says;
    };
    std::vector<Refused> const wrongs = {
        {"(VAR x)\n(THEORY (AC +))", "2:2", "the section THEORY is not supported"},
        {"(STRATEGY OUTERMOST)", "1:11", "OUTERMOST is not supported (rewriting is innermost)"},
        {"(STRATEGY CONTEXTSENSITIVE (f 1))", "1:11", "CONTEXTSENSITIVE is not supported"},
        {"(CONDITIONTYPE ORIENTED)", "1:16", "ORIENTED is not supported"},
        {"(VAR x)\n(RULES f(x) ->= x)", "2:13", "a relative rule is not supported"},
        {"(VAR x)\n(RULES f(x) -> x)\n(RULES f(x,x) -> x)", "3:8", "expected f(Term) with 1, found more"},
        {"(VAR x)\n(RULES x -> f(x))", "2:8", "the left side is the variable x"},
        {"(VAR x y)\n(RULES f(x) -> y)", "2:16", "free variable y"},
        {"(RULES f(x) -> ", "1:16", "expected ), found the end of the text"},
        {"(COMMENT (", "1:1", "a COMMENT without an end"},
        {"(RULES \"a\" -> b)", "1:8", "unexpected character of code 34"},
        {"(SIG (f two))", "1:9", "expected a number of arguments, found two"},
        {"(SIG (f 70000))", "1:7", "symbol f has too many arguments"},
        {"() ", "1:2", "expected VAR, RULES"},
        {"(VAR x) x", "1:9", "expected (, found x"},
    };
    for (Refused const& wrong : wrongs) {
        std::string error = "no error";
        try {
            parse_text(wrong.text, "wrong.trs");
        } catch (bench::Error const& thrown) {
            error = thrown.what();
        }
        EXPECT_EQ(error.rfind("wrong.trs:" + wrong.location + ": ", 0), 0u) << wrong.text << "\n" << error;
        EXPECT_NE(error.find(wrong.says), std::string::npos) << wrong.text << "\n" << error;
    }
}

// The dialect of REC with input terms outside EVAL, in META blocks too.
TEST(RecLanguage, ReadsInputTermsOfTheOlderDialect) {
    System const system = parse_text(R"(META { written by hand: ? { [nested] } }
REC-SPEC Old
SORTS
  N
CONS
  z : -> N
  s : N -> N
OPS
  f : N -> N
VARS
  x : N
RULES
  f(x) -> s(x)
EVAL
  get normal form for: f(z)
END-SPEC
META
{
  check that: f terminates!
  get normal form for: f(
      s(z))
  get normal form for: s(z) }
get normal form for:   z   % the last one
)",
                                     "old.rec");
    ASSERT_EQ(system.inputs.size(), 4u);
    EXPECT_EQ(to_string(system, system.inputs[0]), "f(z)");
    EXPECT_EQ(to_string(system, system.inputs[1]), "f(s(z))");
    EXPECT_EQ(to_string(system, system.inputs[2]), "s(z)");
    EXPECT_EQ(to_string(system, system.inputs[3]), "z");
    EXPECT_THROW(parse_text("META {\n get normal form for: z\n", "old.rec"), bench::Error);
    // META without a block is a name like others.
    EXPECT_EQ(
        parse_text("REC-SPEC X\nSORTS\n META\nCONS\n META : -> META\nEVAL\n META\nEND-SPEC\n", "x.rec").inputs.size(),
        1u);
}

}  // namespace
}  // namespace lockstep::term_rewriting
