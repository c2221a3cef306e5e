#include "reference_cpu/term_rewriting/print.hpp"

#include <vector>

namespace lockstep::term_rewriting {

void print_term(Terms const& terms, TermId root, PrintStyle const& style,
                std::function<void(std::string_view)> const& write) {
    constexpr std::size_t piece = 1 << 16;
    struct Open {
        TermId term;
        std::uint32_t next;  // argument to print
    };
    std::string text;
    std::vector<Open> open;
    auto const start = [&](TermId term) {
        if (terms.is_variable(term)) {
            text += style.variable(terms.variable_of(term));
            return;
        }
        text += style.symbol(terms.symbol(term));
        if (terms.arguments(term).empty()) {
            text += style.constant_suffix;
            return;
        }
        text += '(';
        open.push_back({term, 0});
    };
    start(root);
    while (!open.empty()) {
        Open& top = open.back();
        auto const arguments = terms.arguments(top.term);
        if (top.next == arguments.size()) {
            text += ')';
            open.pop_back();
        } else {
            if (top.next > 0)
                text += style.separator;
            start(arguments[top.next++]);
        }
        if (text.size() >= piece) {
            write(text);
            text.clear();
        }
    }
    write(text);
}

PrintStyle plain_style(System const& system, Rule const* rule) {
    PrintStyle style;
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
