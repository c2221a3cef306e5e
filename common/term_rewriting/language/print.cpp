#include "common/term_rewriting/language/print.hpp"

#include "common/term_rewriting/language/write_graph.hpp"

namespace lockstep::term_rewriting {

namespace {

struct TermsView {
    Terms const& terms;
    PrintStyle const& style;

    SymbolId symbol(TermId term) const { return terms.symbol(term); }
    std::size_t arguments(TermId term) const { return terms.is_variable(term) ? 0 : terms.arguments(term).size(); }
    TermId argument(TermId term, std::size_t index) const { return terms.arguments(term)[index]; }
    void write_head(TermId term, std::string& text) const {
        if (terms.is_variable(term)) {
            text += style.variable(terms.variable_of(term));
            return;
        }
        text += style.symbol(terms.symbol(term));
        if (terms.arguments(term).empty())
            text += style.constant_suffix;
    }
};

}  // namespace

void print_term(Terms const& terms, TermId root, PrintStyle const& style, Write const& write) {
    write_graph(TermsView{terms, style}, root, style, write);
}

PrintStyle plain_style(System const& system, Rule const* rule) {
    PrintStyle style;
    style.integers = system.integers;
    style.symbol = [&system](SymbolId symbol) { return system.symbols[symbol].name; };
    style.variable = [rule](std::uint32_t variable) {
        return rule != nullptr ? rule->variables[variable] : "_" + std::to_string(variable);
    };
    return style;
}

std::string to_string(System const& system, TermId term, Rule const* rule) {
    std::string text;
    print_term(system.terms, term, plain_style(system, rule), [&](std::string_view piece) { text += piece; });
    return text;
}

std::string to_string(System const& system, Terms const& terms, TermId term) {
    std::string text;
    print_term(terms, term, plain_style(system), [&](std::string_view piece) { text += piece; });
    return text;
}

}  // namespace lockstep::term_rewriting
