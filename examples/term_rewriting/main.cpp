// A simplifier for symbolic derivatives: the rules are text, and the program builds terms and reads results.

#include <cstdio>
#include <string>
#include <vector>

#include "common/term_rewriting/engine.hpp"
#include "common/term_rewriting/language/parse.hpp"
#include "common/term_rewriting/language/print.hpp"
#include "common/term_rewriting/rewrite.hpp"
#include "harness/bench/error.hpp"

namespace rewriting = lockstep::term_rewriting;

namespace {

// Rules of a symbol are tried from top to bottom.
constexpr char const* derivatives = R"(REC-SPEC Derivatives
SORTS
  Term
CONS
  x : -> Term
  zero : -> Term
  one : -> Term
  sum : Term Term -> Term
  product : Term Term -> Term
OPNS
  d : Term -> Term
  plus : Term Term -> Term
  times : Term Term -> Term
VARS
  a b : Term
RULES
  d(x) -> one
  d(zero) -> zero
  d(one) -> zero
  d(sum(a, b)) -> plus(d(a), d(b))
  d(product(a, b)) -> plus(times(d(a), b), times(a, d(b)))
  plus(zero, a) -> a
  plus(a, zero) -> a
  plus(a, b) -> sum(a, b)
  times(zero, a) -> zero
  times(a, zero) -> zero
  times(one, a) -> a
  times(a, one) -> a
  times(a, b) -> product(a, b)
EVAL
END-SPEC
)";

}  // namespace

int main() try {
    rewriting::System system = rewriting::parse_system("derivatives.rec", [](std::string const&) {
        return std::string(derivatives);  // a program may read files or contain its rules
    });
    // x, x * x, (x * x) * x ...
    std::string power = "x";
    for (int exponent = 1; exponent <= 4; ++exponent) {
        rewriting::TermId const term = rewriting::parse_term(system, "d(" + power + ")", "the term");
        // `auto` would first compile the rules to C++, which is worthwhile for long computations.
        auto const engine = rewriting::make_engine(system, "oracle", "cpu");
        engine->load(system.terms, term);
        rewriting::Outcome const outcome = engine->run({});
        rewriting::Terms found;
        rewriting::TermId const normal_form = engine->normal_form(found);
        std::printf("d(%s) = %s  (%llu rewrites)\n", power.c_str(),
                    rewriting::to_string(system, found, normal_form).c_str(),
                    static_cast<unsigned long long>(outcome.rewrites()));
        power = "product(" + power + ",x)";
    }
    // Or all in one call, with all terms in one run of the engine.
    std::vector<std::string> const terms = {"d(sum(x,one))", "times(one,plus(zero,x))"};
    for (std::string const& form : lockstep::rewrite(derivatives, terms, {"oracle", "cpu", {}}).normal_forms)
        std::printf("%s\n", form.c_str());
    rewriting::parse_term(system, "d(y)", "the term");  // the error names the location and suggests a name
} catch (lockstep::bench::Error const& error) {
    std::printf("%s\n", error.what());
}
