#include "baselines/term_rewriting/compiled/implied_counts.hpp"

#include <algorithm>
#include <map>

#include "common/term_rewriting/language/sharing.hpp"

namespace lockstep::term_rewriting::compiled {

ImpliedCounts::ImpliedCounts(System const& system, NormalSymbols const& normal)
    : calls_(system.rules.size()),
      in_condition_(system.symbols.size(), false),
      pattern_size_(system.rules.size(), 0),
      rule_of_(system.symbols.size()),
      is_implied_(system.rules.size(), false) {
    // A run of a system with operations ends early after some of its rules, and then tells whether they were applied.
    bool const has_operations = std::any_of(system.rules.begin(), system.rules.end(),
                                            [](Rule const& rule) { return rule.operation != Operation::none; });
    if (has_operations)
        return;
    find_calls(system);
    std::vector<std::vector<RuleId>> rules_of(system.symbols.size());
    for (RuleId rule = 0; rule < system.rules.size(); ++rule)
        rules_of[system.terms.symbol(system.rules[rule].left)].push_back(rule);
    for (SymbolId symbol = 0; symbol < system.symbols.size(); ++symbol) {
        // How often a condition is evaluated is not known.
        if (system.symbols[symbol].defined && !normal.occurs(symbol) && !in_condition_[symbol])
            choose(symbol, rules_of[symbol]);
    }
    order(rules_of);
}

void ImpliedCounts::find_calls(System const& system) {
    for (RuleId id = 0; id < system.rules.size(); ++id) {
        Rule const& rule = system.rules[id];
        std::map<SymbolId, long long> calls;
        for (SharedNode const& node : share(system.terms, std::span(&rule.right, 1)).nodes) {
            if (!node.is_variable && system.symbols[node.head].defined)
                ++calls[node.head];
        }
        calls_[id].assign(calls.begin(), calls.end());
        pattern_size_[id] = share(system.terms, std::span(&rule.left, 1)).nodes.size();
        for (Condition const& condition : rule.conditions) {
            TermId const sides[] = {condition.left, condition.right};
            for (SharedNode const& node : share(system.terms, sides).nodes) {
                if (!node.is_variable)
                    in_condition_[node.head] = true;
            }
        }
    }
}

// Prefers the rule with the smallest pattern: a general rule applies often.
void ImpliedCounts::choose(SymbolId symbol, std::vector<RuleId> rules) {
    std::stable_sort(rules.begin(), rules.end(),
                     [&](RuleId left, RuleId right) { return pattern_size_[left] < pattern_size_[right]; });
    for (RuleId const rule : rules) {
        if (leads(rule, symbol))
            continue;
        rule_of_[symbol] = rule;
        is_implied_[rule] = true;
        return;
    }
}

// Returns true if the rule calls the symbol, itself or by way of rules that are not counted. The symbol's sum would
// then contain itself.
bool ImpliedCounts::leads(RuleId rule, SymbolId symbol) const {
    std::vector<bool> seen(rule_of_.size(), false);
    std::vector<RuleId> open = {rule};
    while (!open.empty()) {
        RuleId const one = open.back();
        open.pop_back();
        for (auto const& [called, times] : calls_[one]) {
            if (called == symbol)
                return true;
            if (!seen[called] && rule_of_[called])
                open.push_back(*rule_of_[called]);
            seen[called] = true;
        }
    }
    return false;
}

void ImpliedCounts::order(std::vector<std::vector<RuleId>> const& rules_of) {
    std::vector<Sum> sum_of(rule_of_.size());
    std::vector<std::size_t> waits_for(rule_of_.size(), 0);  // terms that are sums
    for (RuleId rule = 0; rule < calls_.size(); ++rule) {
        for (auto const& [called, times] : calls_[rule]) {
            if (rule_of_[called])
                sum_of[called].terms.emplace_back(rule, times);
            waits_for[called] += is_implied_[rule] ? 1 : 0;
        }
    }
    std::vector<SymbolId> ready;
    for (SymbolId symbol = 0; symbol < rule_of_.size(); ++symbol) {
        if (rule_of_[symbol] && waits_for[symbol] == 0)
            ready.push_back(symbol);
    }
    while (!ready.empty()) {
        SymbolId const symbol = ready.back();
        ready.pop_back();
        Sum& sum = sum_of[symbol];
        sum.rule = *rule_of_[symbol];
        for (RuleId const other : rules_of[symbol]) {
            if (other != sum.rule)
                sum.terms.emplace_back(other, -1);
        }
        for (auto const& [called, times] : calls_[sum.rule]) {
            if (--waits_for[called] == 0 && rule_of_[called])
                ready.push_back(called);
        }
        sums_.push_back(std::move(sum));
    }
}

}  // namespace lockstep::term_rewriting::compiled
