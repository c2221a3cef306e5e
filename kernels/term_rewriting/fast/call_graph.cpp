#include "kernels/term_rewriting/fast/call_graph.hpp"

namespace lockstep::term_rewriting::fast {

CallGraph::CallGraph(System const& system, RuleTerms& terms) : callers_(system.symbols.size()) {
    for (Rule const& rule : system.rules) {
        SymbolId const caller = system.terms.symbol(rule.left);
        std::vector<std::vector<TermId>> roots = {{rule.right}};
        for (Condition const& condition : rule.conditions)
            roots.push_back({condition.left, condition.right});
        for (auto const& each : roots) {
            std::vector<RuleId> rules;
            for (PlanNode const& node : terms.nodes(each, rules).nodes) {
                if (node.kind == PlanNode::Kind::call && node.head != caller)
                    callers_[node.head].push_back(caller);
            }
        }
    }
}

bool CallGraph::leads_to(SymbolId from, SymbolId to) {
    auto const [found, added] = reachable_from_.try_emplace(to, callers_.size(), false);
    std::vector<bool>& symbols = found->second;
    std::vector<SymbolId> open;
    if (added) {
        symbols[to] = true;
        open.push_back(to);
    }
    while (!open.empty()) {
        SymbolId const symbol = open.back();
        open.pop_back();
        for (SymbolId const caller : callers_[symbol]) {
            if (!symbols[caller])
                open.push_back(caller);
            symbols[caller] = true;
        }
    }
    return from < symbols.size() && symbols[from];
}

}  // namespace lockstep::term_rewriting::fast
