#pragma once
// Prints a term rewrite system in its language, so that a target can read it again.

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "common/term_rewriting/language/parse.hpp"
#include "common/term_rewriting/language/print.hpp"
#include "tests/fuzz/target.hpp"

namespace lockstep::fuzz {

using term_rewriting::System;

// Without the sorts, symbols, rules and conditions that are not of the text.
inline std::vector<std::string> users_sorts(System const& system) {
    std::vector<std::string> sorts = system.sorts;
    std::erase_if(sorts, [](std::string const& sort) { return sort.starts_with("=("); });
    return sorts;
}

inline std::vector<term_rewriting::Symbol> users_symbols(System const& system) {
    std::vector<term_rewriting::Symbol> symbols = system.symbols;
    std::erase_if(symbols,
                  [](term_rewriting::Symbol const& symbol) { return symbol.origin != term_rewriting::Origin::user; });
    return symbols;
}

inline std::vector<term_rewriting::Rule> users_rules(System const& system) {
    std::vector<term_rewriting::Rule> rules = system.rules;
    std::erase_if(rules, [](term_rewriting::Rule const& rule) { return rule.origin != term_rewriting::Origin::user; });
    for (term_rewriting::Rule& rule : rules)
        std::erase_if(rule.conditions, [](term_rewriting::Condition const& condition) { return condition.generated; });
    return rules;
}

// Each variable of the rules with its sort, which the symbol above it on a left side determines.
inline std::map<std::string, std::string> sorts_of_variables(System const& system) {
    std::map<std::string, std::string> sorts;
    for (term_rewriting::Rule const& rule : users_rules(system)) {
        for (term_rewriting::TermId const term : term_rewriting::reached_terms(system.terms, rule.left)) {
            if (system.terms.is_variable(term))
                continue;
            std::vector<term_rewriting::SortId> const& wanted = system.symbols[system.terms.symbol(term)].arguments;
            std::size_t i = 0;
            for (term_rewriting::TermId const argument : system.terms.arguments(term)) {
                if (system.terms.is_variable(argument))
                    sorts[rule.variables[system.terms.variable_of(argument)]] = system.sorts[wanted[i]];
                ++i;
            }
        }
    }
    return sorts;
}

inline std::string sorts_text(System const& system, term_rewriting::Symbol const& symbol, char const* const separator) {
    std::string text;
    for (term_rewriting::SortId const sort : symbol.arguments)
        text += (text.empty() ? "" : separator) + system.sorts[sort];
    return text;
}

inline std::string paper_text(System const& system) {
    std::string text = "sort\n";
    for (std::string const& sort : users_sorts(system))
        text += sort + ";\n";
    for (term_rewriting::Symbol const& symbol : users_symbols(system))
        text +=
            system.sorts[symbol.result] + " = struct " + symbol.name + "(" + sorts_text(system, symbol, ",") + ");\n";
    text += "var\n";
    for (auto const& [name, sort] : sorts_of_variables(system))
        text += name + " : " + sort + ";\n";
    text += "eqn\n";
    for (term_rewriting::Rule const& rule : users_rules(system))
        text += to_string(system, rule.left, &rule) + " = " + to_string(system, rule.right, &rule) + ";\n";
    for (term_rewriting::TermId const input : system.inputs)
        text += "input " + to_string(system, input) + ";\n";
    return text;
}

inline std::string rec_text(System const& system) {
    std::string text = "REC-SPEC Printed\nSORTS\n";
    for (std::string const& sort : users_sorts(system))
        text += sort + "\n";
    text += "CONS\n";
    for (term_rewriting::Symbol const& symbol : users_symbols(system))
        text += symbol.name + " : " + sorts_text(system, symbol, " ") + " -> " + system.sorts[symbol.result] + "\n";
    text += "VARS\n";
    for (auto const& [name, sort] : sorts_of_variables(system))
        text += name + " : " + sort + "\n";
    text += "RULES\n";
    for (term_rewriting::Rule const& rule : users_rules(system)) {
        text += to_string(system, rule.left, &rule) + " -> " + to_string(system, rule.right, &rule);
        char const* word = " if ";
        for (term_rewriting::Condition const& condition : rule.conditions) {
            text += word + to_string(system, condition.left, &rule) + (condition.equal ? " -><- " : " ->/<- ") +
                    to_string(system, condition.right, &rule);
            word = " and-if ";
        }
        text += "\n";
    }
    text += "EVAL\n";
    for (term_rewriting::TermId const input : system.inputs)
        text += to_string(system, input) + "\n";
    return text + "END-SPEC\n";
}

inline std::string tpdb_text(System const& system) {
    std::string text = "(VAR";
    for (auto const& [name, sort] : sorts_of_variables(system))
        text += " " + name;
    text += ")\n(SIG";
    for (term_rewriting::Symbol const& symbol : users_symbols(system))
        text += " (" + symbol.name + " " + std::to_string(symbol.arguments.size()) + ")";
    text += ")\n(RULES\n";
    for (term_rewriting::Rule const& rule : users_rules(system)) {
        text += to_string(system, rule.left, &rule) + " -> " + to_string(system, rule.right, &rule);
        char const* word = " | ";
        for (term_rewriting::Condition const& condition : rule.conditions) {
            text +=
                word + to_string(system, condition.left, &rule) + " == " + to_string(system, condition.right, &rule);
            word = ", ";
        }
        text += "\n";
    }
    return text + ")\n";
}

// Words that begin a section, which a line of the printed text must not begin with.
inline bool has_name_among(System const& system, std::set<std::string> const& words) {
    auto const is_word = [&](std::string const& name) { return words.count(name) != 0; };
    bool found = std::any_of(system.sorts.begin(), system.sorts.end(), is_word);
    for (term_rewriting::Symbol const& symbol : system.symbols)
        found = found || is_word(symbol.name);
    for (auto const& entry : sorts_of_variables(system))
        found = found || is_word(entry.first);
    return found;
}

}  // namespace lockstep::fuzz
