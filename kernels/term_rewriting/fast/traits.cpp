#include "kernels/term_rewriting/fast/traits.hpp"

#include <algorithm>

#include "kernels/term_rewriting/fast/independent.hpp"
#include "kernels/term_rewriting/fast/walk.hpp"

namespace lockstep::term_rewriting::fast {

namespace {

using Kind = PlanNode::Kind;

class Analysis {
public:
    explicit Analysis(System const& system)
        : system_(system),
          matchers_(matchers_of(system)),
          symbols_(symbols_of(system)),
          terms_(system, matchers_, symbols_, true),
          calls_(system, terms_) {}

    Traits traits() {
        for (Rule const& rule : system_.rules) {
            add(system_.terms.symbol(rule.left), nodes({rule.right}));
            for (Condition const& condition : rule.conditions) {
                std::vector<bool> const has_call = nodes_with_calls(nodes({condition.left, condition.right}));
                if (std::find(has_call.begin(), has_call.end(), true) != has_call.end())
                    traits_.nested_calls = true;
            }
        }
        return traits_;
    }

private:
    PlanTerms nodes(std::vector<TermId> const& roots) {
        std::vector<RuleId> rules;
        return terms_.nodes(roots, rules);
    }

    void add(SymbolId symbol, PlanTerms terms) {
        std::vector<bool> const has_call = nodes_with_calls(terms);
        unsigned recursions = 0;
        for (PlanNode const& node : terms.nodes) {
            if (node.kind != Kind::call)
                continue;
            bool const nested = std::any_of(node.arguments.begin(), node.arguments.end(),
                                            [&](unsigned argument) { return has_call[argument]; });
            traits_.nested_calls = traits_.nested_calls || nested;
            recursions += !nested && calls_.leads_to(node.head, symbol) ? 1 : 0;
        }
        traits_.tree_recursion = traits_.tree_recursion || recursions >= 2;
        traits_.walks = traits_.walks || walks(symbol, std::move(terms));
    }

    bool walks(SymbolId symbol, PlanTerms terms) {
        unsigned const registers = registers_of(system_, true);
        auto const part = static_cast<SymbolId>(system_.symbols.size());
        terms = with_independent_parts(
            std::move(terms), registers, [&](unsigned head) { return calls_.leads_to(head, symbol); },
            [&](Part const&) { return part; });
        std::optional<unsigned> const rest = find_rest(terms, symbol, calls_);
        return rest && find_walk(terms, *rest, registers);
    }

    System const& system_;
    std::vector<compiled::Matcher> matchers_;
    std::vector<SymbolInfo> symbols_;
    RuleTerms terms_;
    CallGraph calls_;
    Traits traits_;
};

}  // namespace

Traits traits_of(System const& system) { return Analysis(system).traits(); }

}  // namespace lockstep::term_rewriting::fast
