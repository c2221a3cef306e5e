#pragma once
// Which symbols' rules call which symbols, once chains of rules are merged.

#include <map>
#include <vector>

#include "kernels/term_rewriting/fast/rule_terms.hpp"

namespace lockstep::term_rewriting::fast {

class CallGraph {
public:
    CallGraph() = default;
    CallGraph(System const& system, RuleTerms& terms);

    // Returns the number of calls of the symbol in the rules of others.
    std::size_t calls_of(SymbolId symbol) const { return callers_[symbol].size(); }
    // Returns true if a call of `from` can lead to a call of `to`. A symbol beyond those of the system, which is a part
    // of a right side (independent.hpp), leads to none.
    bool leads_to(SymbolId from, SymbolId to);

private:
    std::vector<std::vector<SymbolId>> callers_;            // per symbol: its callers except itself, once per call
    std::map<SymbolId, std::vector<bool>> reachable_from_;  // per symbol: the symbols that can call it, directly or not
};

}  // namespace lockstep::term_rewriting::fast
