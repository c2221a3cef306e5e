#pragma once
// Rules that generated code does not count, because their number of applications follows from those of other rules.
// Each call of a function that is never stuck applies one of the function's rules, and the calls are in the right sides
// of rules. So one rule of the function has as many applications as the function has calls, less those of its other
// rules. (After D. Knuth and F. Stevenson, "Optimal measurement points for program frequency counts", 1973.)
//
// The number is exact after the last rewrite. Before that, it includes the calls that have not been made yet.

#include <optional>
#include <utility>
#include <vector>

#include "baselines/term_rewriting/compiled/normal_symbols.hpp"
#include "common/term_rewriting/language/system.hpp"

namespace lockstep::term_rewriting::compiled {

class ImpliedCounts {
public:
    ImpliedCounts(System const& system, NormalSymbols const& normal);

    // Returns the rule of the defined symbol that is not counted, if there is one. Calls by the runtime count for it.
    std::optional<RuleId> rule_of(SymbolId symbol) const { return rule_of_[symbol]; }
    bool is_implied(RuleId rule) const { return is_implied_[rule]; }

    // The applications of `rule` are the sum of those of other rules times factors, and of its calls by the runtime.
    struct Sum {
        RuleId rule;
        std::vector<std::pair<RuleId, long long>> terms;
    };
    // In an order in which each sum has only terms that are counted or come earlier.
    std::vector<Sum> const& sums() const { return sums_; }

private:
    // The calls in the right side of a rule.
    using Calls = std::vector<std::pair<SymbolId, long long>>;

    void find_calls(System const& system);
    void choose(SymbolId symbol, std::vector<RuleId> rules);
    bool leads(RuleId rule, SymbolId symbol) const;
    void order(std::vector<std::vector<RuleId>> const& rules_of);

    std::vector<Calls> calls_;               // per rule
    std::vector<bool> in_condition_;         // per symbol
    std::vector<std::size_t> pattern_size_;  // per rule
    std::vector<std::optional<RuleId>> rule_of_;
    std::vector<bool> is_implied_;
    std::vector<Sum> sums_;
};

}  // namespace lockstep::term_rewriting::compiled
