// Terms in binary (`rewrite --terms`).

#include "common/term_rewriting/language/binary_terms.hpp"

#include "tests/fuzz/systems.hpp"

namespace lockstep::fuzz {

void binary_terms(std::string const& input) {
    System const declared = term_rewriting::parse_system("terms.trs", [](std::string const&) {
        return "sort Nat = Z() | S(Nat) | F(Nat, Nat, Nat); Bool = T() | Not(Bool) | Less(Nat, Nat);\n";
    });
    System system = declared;
    std::vector<term_rewriting::TermId> terms;
    // A file that is not in this format is not given to the reader.
    if (!term_rewriting::is_binary_terms(input) || !accepts([&] { terms = read_binary_terms(system, input, "input"); }))
        return;
    auto const written = [](System const& of, std::vector<term_rewriting::TermId> const& roots) {
        std::string bytes;
        write_binary_terms(of, of.terms, roots, [&](std::string_view piece) { bytes += piece; });
        return bytes;
    };
    std::string const bytes = written(system, terms);
    System again = declared;
    std::vector<term_rewriting::TermId> const same = read_binary_terms(again, bytes, "written");
    require(same.size() == terms.size(), "written terms are read");
    for (std::size_t i = 0; i < terms.size(); ++i)
        require(equal_terms(system.terms, terms[i], again.terms, same[i]), "a written term is the term");
    require(written(again, same) == bytes, "written terms are written in the same bytes");
}

}  // namespace lockstep::fuzz

LOCKSTEP_FUZZ_TARGET(binary_terms)
