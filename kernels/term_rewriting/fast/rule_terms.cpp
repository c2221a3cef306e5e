#include "kernels/term_rewriting/fast/rule_terms.hpp"

#include <algorithm>

namespace lockstep::term_rewriting::fast {

namespace {

using namespace compiled;
using Kind = PlanNode::Kind;

constexpr std::size_t longest_chain = 256;

}  // namespace

std::vector<Matcher> matchers_of(System const& system) {
    std::vector<Matcher> matchers;
    for (SymbolId symbol = 0; symbol < system.symbols.size(); ++symbol)
        matchers.push_back(system.symbols[symbol].defined ? compile_matcher(system, symbol) : Matcher{});
    return matchers;
}

std::vector<SymbolInfo> symbols_of(System const& system) {
    std::vector<SymbolInfo> symbols;
    for (SymbolId symbol = 0; symbol < system.symbols.size(); ++symbol) {
        auto const arity = static_cast<unsigned>(system.arity(symbol));
        symbols.push_back({arity, 0, arity > max_registers ? 1u : 0u, 0});
    }
    return symbols;
}

unsigned registers_of(System const& system, bool walks) {
    unsigned registers = walks ? 3 : 2;
    for (SymbolId symbol = 0; symbol < system.symbols.size(); ++symbol) {
        auto const arity = static_cast<unsigned>(system.arity(symbol));
        if (system.symbols[symbol].defined && arity <= max_registers)
            registers = std::max(registers, arity);
    }
    return registers;
}

PlanTerms RuleTerms::nodes(std::vector<TermId> const& roots, std::vector<RuleId>& rules) {
    SharedTerms const shared = share(system_.terms, roots);
    PlanTerms terms;
    std::vector<unsigned> names;
    add_shared(terms, shared, nullptr, names);
    for (std::uint32_t const root : shared.roots)
        terms.roots.push_back(names[root]);
    return chains_ ? inlined(terms, rules) : terms;
}

unsigned RuleTerms::constant(SymbolId symbol, std::vector<unsigned> const& arguments) {
    if (arguments.empty())
        return symbol;
    auto const [found, added] = numbers_.try_emplace({symbol, arguments}, constants_end_);
    if (added) {
        constants_.push_back({symbol, arguments});
        constants_end_ += granules_of(arguments.size());
    }
    return found->second;
}

unsigned RuleTerms::add(PlanTerms& terms, SharedNode const& of, std::vector<unsigned> const& names) {
    PlanNode node;
    node.kind = system_.symbols[of.head].defined ? Kind::call : Kind::made;
    node.head = of.head;
    bool closed = node.kind == Kind::made;
    std::vector<unsigned> values;
    for (std::uint32_t const argument : of.arguments) {
        node.arguments.push_back(names[argument]);
        closed = closed && terms.nodes[names[argument]].kind == Kind::constant;
        values.push_back(terms.nodes[names[argument]].head);
    }
    if (closed)
        node = {Kind::constant, constant(of.head, values), {}};
    if (node.kind == Kind::call && boxed(of.head)) {
        terms.nodes.push_back({Kind::made, node.head, std::move(node.arguments)});
        node.arguments = {static_cast<unsigned>(terms.nodes.size() - 1)};
    }
    terms.nodes.push_back(std::move(node));
    return static_cast<unsigned>(terms.nodes.size() - 1);
}

// `variables`: the node that each variable stands for; if null, each variable becomes a node.
void RuleTerms::add_shared(PlanTerms& terms, SharedTerms const& shared, std::vector<unsigned> const* variables,
                           std::vector<unsigned>& names) {
    for (SharedNode const& node : shared.nodes) {
        if (!node.is_variable) {
            names.push_back(add(terms, node, names));
        } else if (variables != nullptr) {
            names.push_back((*variables)[node.head]);
        } else {
            terms.nodes.push_back({Kind::variable, node.head, {}});
            names.push_back(static_cast<unsigned>(terms.nodes.size() - 1));
        }
    }
}

// Returns the rule that applies to any arguments of the symbol, if its right side makes no call except at its root.
std::optional<RuleId> RuleTerms::only_rule(SymbolId symbol) const {
    if (boxed(symbol))
        return {};
    State const& state = matchers_[symbol].states[matchers_[symbol].start];
    if (state.kind != State::Kind::apply || !system_.rules[state.rule].conditions.empty())
        return {};
    SharedTerms const shared = share(system_.terms, std::span(&system_.rules[state.rule].right, 1));
    for (std::uint32_t node = 0; node < shared.nodes.size(); ++node) {
        bool const call = !shared.nodes[node].is_variable && system_.symbols[shared.nodes[node].head].defined;
        if (call && (node != shared.roots[0] || boxed(shared.nodes[node].head)))
            return {};
    }
    return state.rule;
}

// Appends the node, as a constant if it is a constructor over constants only.
void RuleTerms::add_settled(PlanTerms& terms, PlanNode node) {
    bool closed = node.kind == Kind::made;
    std::vector<unsigned> values;
    for (unsigned const argument : node.arguments) {
        closed = closed && terms.nodes[argument].kind == Kind::constant;
        values.push_back(terms.nodes[argument].head);
    }
    // A made node of a defined symbol is the box of a call's arguments.
    if (closed && !system_.symbols[node.head].defined)
        node = {Kind::constant, constant(node.head, values), {}};
    terms.nodes.push_back(std::move(node));
}

// Appends the node and returns its number. A call is first replaced, repeatedly, by the right side of the only rule
// that matches it, if that rule matches any arguments.
unsigned RuleTerms::replaced(PlanTerms& result, PlanNode node, std::vector<RuleId>& rules) {
    std::vector<SymbolId> seen;
    while (true) {
        std::optional<RuleId> const only = node.kind == Kind::call ? only_rule(node.head) : std::nullopt;
        bool const again = std::find(seen.begin(), seen.end(), node.head) != seen.end();
        if (!only || again || seen.size() == longest_chain) {
            add_settled(result, std::move(node));
            return static_cast<unsigned>(result.nodes.size() - 1);
        }
        RuleId const rule = only.value_or(0);
        seen.push_back(node.head);
        rules.push_back(rule);
        // Each variable of such a rule is an entire argument.
        State const& state = matchers_[node.head].states[matchers_[node.head].start];
        std::vector<unsigned> variables;
        for (PositionId const position : state.variables)
            variables.push_back(node.arguments[position]);
        SharedTerms below = share(system_.terms, std::span(&system_.rules[rule].right, 1));
        SharedNode const root = below.nodes[below.roots[0]];
        if (root.is_variable)
            return variables[root.head];
        below.nodes.pop_back();  // the root comes last
        std::vector<unsigned> inner;
        add_shared(result, below, &variables, inner);
        node = {system_.symbols[root.head].defined ? Kind::call : Kind::made, root.head, {}};
        for (std::uint32_t const argument : root.arguments)
            node.arguments.push_back(inner[argument]);
    }
}

// Replaces calls of symbols with such a rule by its right side, repeatedly. Appends the applied rules to `rules`.
PlanTerms RuleTerms::inlined(PlanTerms const& terms, std::vector<RuleId>& rules) {
    PlanTerms result;
    std::vector<unsigned> names;
    for (PlanNode node : terms.nodes) {
        for (unsigned& argument : node.arguments)
            argument = names[argument];
        names.push_back(replaced(result, std::move(node), rules));
    }
    for (unsigned const root : terms.roots)
        result.roots.push_back(names[root]);
    return result;
}

}  // namespace lockstep::term_rewriting::fast
