#pragma once
// Many terms as one term, so that one run of any engine rewrites them all: the leaves of a balanced tree of pairs. The
// pair is a symbol without rules that no text can name, so the normal form is the tree of the normal forms.

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "common/term_rewriting/language/print.hpp"
#include "common/term_rewriting/language/system.hpp"

namespace lockstep::term_rewriting {

class Together {
public:
    // Adds the pair to the system if there are two or more terms. Make engines afterwards.
    Together(System& system, std::span<TermId const> terms);

    // Returns true for the pair. It occurs only above all terms.
    static bool is_pair(Symbol const& symbol) {
        return symbol.origin == Origin::internal && symbol.name == std::string_view(&pair_name, 1);
    }

    // The one term to rewrite. Precondition: there is a term.
    TermId term() const { return term_; }
    // The two halves of the terms, or of a half, as one term each; nothing if `term` is a single term.
    std::optional<std::pair<TermId, TermId>> halves(Terms const& terms, TermId term) const;
    // The number of terms in one of these.
    std::size_t count(Terms const& terms, TermId term) const { return apart(terms, term).size(); }
    // The normal forms, from the one normal form.
    std::vector<TermId> apart(Terms const& terms, TermId normal_form) const;
    // Passes the text of the one normal form on as one line per normal form, without the last line's end.
    Write lines(Write write) const;

private:
    static constexpr char pair_name = '\1';

    bool is_one_ = true;
    SymbolId pair_ = 0;
    TermId term_ = 0;
};

}  // namespace lockstep::term_rewriting
