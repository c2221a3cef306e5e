// Terms over the symbols of a system (`rewrite --term`).

#include "tests/fuzz/systems.hpp"

namespace lockstep::fuzz {

namespace {

constexpr char const* declarations =
    "sort Nat = Z() | S(Nat) | F(Nat, Nat, Nat); Bool = T() | Not(Bool) | Less(Nat, Nat);\nvar X : Nat;\neqn S(X) = "
    "X;\n";

}  // namespace

void term(std::string const& input) {
    System system = term_rewriting::parse_system("terms.trs", [](std::string const&) { return declarations; });
    term_rewriting::TermId parsed = 0;
    bool const is_term = accepts([&] { parsed = parse_term(system, input, "--term"); });
    require(system.symbols.size() == 6 && system.rules.size() == 1 && system.files.size() == 1,
            "the system stays what it was");
    if (!is_term)
        return;
    std::string const printed = to_string(system, parsed);
    term_rewriting::TermId const again = parse_term(system, printed, "printed");
    require(equal_terms(system.terms, parsed, system.terms, again), "a printed term is the term");
    require(digest_of(system.terms, parsed) == digest_of(system.terms, again), "equal terms have equal digests");
}

}  // namespace lockstep::fuzz

LOCKSTEP_FUZZ_TARGET(term)
