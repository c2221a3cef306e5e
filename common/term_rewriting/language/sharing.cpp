#include "common/term_rewriting/language/sharing.hpp"

#include <map>
#include <unordered_map>

namespace lockstep::term_rewriting {

SharedTerms share(Terms const& terms, std::span<TermId const> roots) {
    SharedTerms shared;
    std::map<std::vector<std::uint32_t>, std::uint32_t> known;  // (is variable, head, arguments) -> node
    std::unordered_map<TermId, std::uint32_t> node_of;
    std::vector<TermId> open;
    for (TermId const root : roots) {
        open.push_back(root);
        while (!open.empty()) {
            TermId const term = open.back();
            bool ready = true;
            for (TermId const argument : terms.arguments(term)) {
                if (node_of.count(argument) == 0) {
                    open.push_back(argument);
                    ready = false;
                }
            }
            if (!ready)
                continue;
            open.pop_back();
            if (node_of.count(term) != 0)
                continue;
            SharedNode node;
            node.is_variable = terms.is_variable(term);
            node.head = node.is_variable ? terms.variable_of(term) : terms.symbol(term);
            std::vector<std::uint32_t> key = {node.is_variable, node.head};
            for (TermId const argument : terms.arguments(term)) {
                node.arguments.push_back(node_of[argument]);
                key.push_back(node_of[argument]);
            }
            auto const [found, added] = known.emplace(std::move(key), static_cast<std::uint32_t>(shared.nodes.size()));
            if (added)
                shared.nodes.push_back(std::move(node));
            node_of[term] = found->second;
        }
        shared.roots.push_back(node_of[root]);
    }
    return shared;
}

std::uint64_t nodes_made(Terms const& terms, Rule const& rule) {
    std::uint64_t made = 0;
    for (SharedNode const& node : share(terms, std::span(&rule.right, 1)).nodes)
        made += node.is_variable ? 0 : 1;
    return made;
}

}  // namespace lockstep::term_rewriting
