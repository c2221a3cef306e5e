#pragma once
// Converts the terms of a rule to nodes for a plan. Equal subterms are shared, and closed constructor terms are
// constants. A call whose only rule matches any arguments is replaced by the rule's right side, so that a chain of such
// rules is one step.

#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "common/term_rewriting/compiler/decision_tree.hpp"
#include "kernels/term_rewriting/fast/plan.hpp"
#include "kernels/term_rewriting/fast/program.hpp"

namespace lockstep::term_rewriting::fast {

// Calls of symbols with more arguments than this get them in a node.
constexpr unsigned max_registers = 8;

// The decision trees of the defined symbols. The tables of symbols, without program counters.
std::vector<compiled::Matcher> matchers_of(System const& system);
std::vector<SymbolInfo> symbols_of(System const& system);
// The registers that calls need. The task of an element of a walk has its node too.
unsigned registers_of(System const& system, bool walks);

class RuleTerms {
public:
    // `symbols` says which symbols are boxed. System, matchers and symbols must outlive this object.
    RuleTerms(System const& system, std::vector<compiled::Matcher> const& matchers,
              std::vector<SymbolInfo> const& symbols, bool chains)
        : system_(system), matchers_(matchers), symbols_(symbols), chains_(chains) {
        constants_end_ = static_cast<unsigned>(system.symbols.size());
    }

    // Appends to `rules` the rules that are already applied in the result.
    PlanTerms nodes(std::vector<TermId> const& roots, std::vector<RuleId>& rules);

    // Constants found so far. The first one's number is the number of symbols.
    std::vector<Constant> const& constants() const { return constants_; }
    unsigned constants_end() const { return constants_end_; }

private:
    bool boxed(SymbolId symbol) const { return symbols_[symbol].boxed != 0; }
    unsigned add(PlanTerms& terms, SharedNode const& node, std::vector<unsigned> const& names);
    void add_shared(PlanTerms& terms, SharedTerms const& shared, std::vector<unsigned> const* variables,
                    std::vector<unsigned>& names);
    void add_settled(PlanTerms& terms, PlanNode node);
    std::optional<RuleId> only_rule(SymbolId symbol) const;
    unsigned replaced(PlanTerms& result, PlanNode node, std::vector<RuleId>& rules);
    PlanTerms inlined(PlanTerms const& terms, std::vector<RuleId>& rules);
    unsigned constant(SymbolId symbol, std::vector<unsigned> const& arguments);

    System const& system_;
    std::vector<compiled::Matcher> const& matchers_;
    std::vector<SymbolInfo> const& symbols_;
    bool chains_;
    std::map<std::pair<SymbolId, std::vector<unsigned>>, unsigned> numbers_;
    std::vector<Constant> constants_;
    unsigned constants_end_ = 0;
};

}  // namespace lockstep::term_rewriting::fast
