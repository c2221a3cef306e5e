#include "kernels/term_rewriting/fast/walk.hpp"

#include <algorithm>

namespace lockstep::term_rewriting::fast {

namespace {

using Kind = PlanNode::Kind;

}  // namespace

std::vector<bool> nodes_with_calls(PlanTerms const& terms) {
    std::vector<bool> has_call;
    for (PlanNode const& node : terms.nodes) {
        has_call.push_back(node.kind == Kind::call ||
                           std::any_of(node.arguments.begin(), node.arguments.end(),
                                       [&](unsigned argument) { return has_call[argument]; }));
    }
    return has_call;
}

std::optional<unsigned> find_rest(PlanTerms const& terms, SymbolId symbol, CallGraph& calls) {
    PlanNode const& root = terms.nodes[terms.roots[0]];
    if (root.arguments.empty())
        return {};
    unsigned const last = root.arguments.back();
    if (terms.nodes[last].kind != Kind::call || terms.nodes[last].head != symbol)
        return {};
    for (unsigned node = 0; node < terms.nodes.size(); ++node) {
        PlanNode const& of = terms.nodes[node];
        if (of.kind == Kind::call && node != last && node != terms.roots[0] && calls.leads_to(of.head, symbol))
            return {};
    }
    return last;
}

std::optional<Walk> find_walk(PlanTerms const& terms, unsigned rest, unsigned max_terms) {
    unsigned const root = terms.roots[0];
    if (terms.nodes[root].kind != Kind::made)
        return {};
    std::vector<bool> const has_call = nodes_with_calls(terms);
    std::vector<unsigned> calls;
    for (unsigned node = 0; node < terms.nodes.size(); ++node) {
        if (node != root && has_call[node])
            calls.push_back(node);
        bool const waits = std::any_of(terms.nodes[node].arguments.begin(), terms.nodes[node].arguments.end(),
                                       [&](unsigned argument) { return has_call[argument]; });
        if (node != root && waits)
            return {};
    }
    auto const& arguments = terms.nodes[root].arguments;
    if (calls.size() != 2 || std::count(arguments.begin(), arguments.end(), rest) != 1)
        return {};
    Walk walk;
    walk.terms = terms;
    walk.rest = rest;
    walk.element = calls[0] == rest ? calls[1] : calls[0];
    if (std::count(arguments.begin(), arguments.end(), walk.element) != 1)
        return {};
    walk.argument =
        static_cast<unsigned>(std::find(arguments.begin(), arguments.end(), walk.element) - arguments.begin());
    for (unsigned const input : terms.nodes[walk.element].arguments) {
        bool const known = std::find(walk.inputs.begin(), walk.inputs.end(), input) != walk.inputs.end();
        if (terms.nodes[input].kind != Kind::constant && !known)
            walk.inputs.push_back(input);
    }
    if (walk.inputs.size() + 1 > max_terms)
        return {};
    return walk;
}

}  // namespace lockstep::term_rewriting::fast
