#include "reference_cpu/term_rewriting/check_operations.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>

#include "harness/bench/error.hpp"
#include "reference_cpu/term_rewriting/oracle_engine.hpp"

namespace lockstep::term_rewriting {

std::vector<RuleId> rules_without_result(System const& system) {
    std::vector<RuleId> rules;
    for (RuleId rule = 0; system.integers && rule < system.rules.size(); ++rule) {
        TermId const right = system.rules[rule].right;
        if (system.rules[rule].origin == Origin::integers && system.terms.symbol(right) == system.integers->no_result)
            rules.push_back(rule);
    }
    return rules;
}

void check_operations(System const& system, TermId input, std::vector<std::uint64_t> const& applications,
                      Limits const& limits) {
    std::vector<RuleId> const rules = rules_without_result(system);
    auto const applied = [&](RuleId rule) { return rule < applications.size() && applications[rule] != 0; };
    if (std::none_of(rules.begin(), rules.end(), applied))
        return;
    Limits until_found = limits;
    until_found.stop_after = rules;
    std::string first;
    OnRewrite const find = {std::numeric_limits<std::uint64_t>::max(),
                            [&](Rewrite const& rewrite) { first = rewrite.redex; },
                            [&](RuleId rule) { return std::find(rules.begin(), rules.end(), rule) != rules.end(); }};
    std::unique_ptr<Engine> const oracle = make_oracle(system, find);
    oracle->load(system.terms, input);
    oracle->run(until_found);
    if (first.empty())  // a limit ended the oracle earlier than the engine
        throw bench::Error("an operation on integers has no result", "an overflow or a division by zero");
    bool const divides = first.ends_with(",0)") && (first.starts_with("div64") || first.starts_with("mod64"));
    throw bench::Error(first + " has no result", divides ? "a division by zero" : "it does not fit into 64 bits");
}

}  // namespace lockstep::term_rewriting
