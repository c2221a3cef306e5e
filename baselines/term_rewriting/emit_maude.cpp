#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "baselines/term_rewriting/emit.hpp"
#include "common/term_rewriting/language/print.hpp"

namespace lockstep::term_rewriting {

namespace {

// Words that have a meaning in Maude's terms, or that its own modules declare.
constexpr std::array<std::string_view, 12> reserved = {"true", "false", "if", "then", "else", "fi",
                                                       "is",   "in",    "op", "eq",   "ceq",  "endfm"};

}  // namespace

std::string maude_name(std::string const& name) {
    std::string text;
    for (char const c : name) {
        if (c == '_')
            text += "-u";
        else if (c == '\'')
            text += "-q";
        else if (c == '"')
            text += "-d";
        else if ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'))
            text += c;
        else
            text += fmt::format("-x{:02x}", static_cast<unsigned char>(c));
    }
    bool const taken = std::find(reserved.begin(), reserved.end(), name) != reserved.end();
    return taken ? text + "-r" : text;
}

void emit_maude(System const& system, Write const& write) {
    auto const sort_name = [&](SortId sort) { return maude_name(system.sorts[sort]) + "-s"; };
    write(
        "*** Written by `lockstep rewrite --emit maude`. Deep terms need a deep stack: ulimit -s unlimited\n"
        "set include BOOL off .\nfmod LOCKSTEP is\n");
    bool unequal = false;
    for (Rule const& rule : system.rules) {
        for (Condition const& condition : rule.conditions)
            unequal = unequal || !condition.equal;
    }
    if (unequal)
        write("  protecting TRUTH .\n");
    for (SortId sort = 0; sort < system.sorts.size(); ++sort)
        write("  sort " + sort_name(sort) + " .\n");
    for (Symbol const& symbol : system.symbols) {
        write("  op " + maude_name(symbol.name) + " :");
        for (SortId const sort : symbol.arguments)
            write(" " + sort_name(sort));
        write(" -> " + sort_name(symbol.result) + " .\n");
    }
    PrintStyle style;
    style.symbol = [&](SymbolId symbol) { return maude_name(system.symbols[symbol].name); };
    for (Rule const& rule : system.rules) {
        std::vector<SortId> sorts(rule.variables.size());
        std::vector<TermId> open = {rule.left};
        while (!open.empty()) {
            TermId const term = open.back();
            open.pop_back();
            auto const arguments = system.terms.arguments(term);
            for (std::size_t i = 0; i < arguments.size(); ++i) {
                if (system.terms.is_variable(arguments[i]))
                    sorts[system.terms.variable_of(arguments[i])] =
                        system.symbols[system.terms.symbol(term)].arguments[i];
                else
                    open.push_back(arguments[i]);
            }
        }
        style.variable = [&](std::uint32_t variable) {
            return "V" + std::to_string(variable) + ":" + sort_name(sorts[variable]);
        };
        auto const side = [&](TermId term) { print_term(system.terms, term, style, write); };
        write(rule.conditions.empty() ? "  eq " : "  ceq ");
        side(rule.left);
        write(" = ");
        side(rule.right);
        for (std::size_t i = 0; i < rule.conditions.size(); ++i) {
            write(i == 0 ? " if " : " /\\ ");
            side(rule.conditions[i].left);
            write(rule.conditions[i].equal ? " = " : " =/= ");
            side(rule.conditions[i].right);
        }
        write(" .\n");
    }
    write("endfm\n");
    for (TermId const input : system.inputs) {
        write("reduce ");
        print_term(system.terms, input, style, write);
        write(" .\n");
    }
}

}  // namespace lockstep::term_rewriting
