#include "baselines/term_rewriting/compiled/normal_symbols.hpp"

#include <algorithm>

#include "common/term_rewriting/language/together.hpp"

namespace lockstep::term_rewriting::compiled {

// Starts from the constructors and adds defined symbols as long as the symbols found so far let one be stuck.
NormalSymbols::NormalSymbols(System const& system)
    : system_(system),
      matchers_(system.symbols.size()),
      normal_(system.symbols.size(), false),
      sorts_(system.sorts.size()) {
    std::vector<SymbolId> unknown;
    for (SymbolId symbol = 0; symbol < system.symbols.size(); ++symbol) {
        if (system.symbols[symbol].defined) {
            matchers_[symbol] = compile_matcher(system, symbol);
            unknown.push_back(symbol);
        } else if (!Together::is_pair(system.symbols[symbol])) {  // no argument of a function is a pair
            add(symbol);
        }
    }
    for (std::size_t before = 0; before != unknown.size();) {
        before = unknown.size();
        std::erase_if(unknown, [&](SymbolId symbol) {
            bool const stuck = may_be_stuck(symbol);
            if (stuck)
                add(symbol);
            return stuck;
        });
    }
}

void NormalSymbols::add(SymbolId symbol) {
    normal_[symbol] = true;
    OfSort& sort = sorts_[system_.symbols[symbol].result];
    (system_.arity(symbol) == 0 ? sort.constants : sort.others).push_back(symbol);
}

// All cases of a branch are symbols of one sort.
NormalSymbols::OfSort const& NormalSymbols::tested_by(State const& state) const {
    return sorts_[system_.symbols[state.cases.front().first].result];
}

bool NormalSymbols::is_exhaustive(State const& state) const {
    std::size_t covered = 0;
    for (auto const& [symbol, next] : state.cases)
        covered += normal_[symbol] ? 1 : 0;
    OfSort const& all = tested_by(state);
    return covered == all.constants.size() + all.others.size();
}

std::vector<bool> NormalSymbols::reached(Matcher const& matcher) const {
    std::vector<bool> reached(matcher.states.size(), false);
    std::vector<StateId> open = {matcher.start};
    while (!open.empty()) {
        StateId const id = open.back();
        open.pop_back();
        if (reached[id])
            continue;
        reached[id] = true;
        State const& state = matcher.states[id];
        if (state.kind == State::Kind::branch) {
            for (auto const& one : state.cases)
                open.push_back(one.second);
            if (!is_exhaustive(state))
                open.push_back(state.otherwise);
        } else if (state.kind == State::Kind::apply) {
            Rule const& rule = system_.rules[state.rule];
            if (!rule.conditions.empty() || rule.operation != Operation::none)
                open.push_back(state.otherwise);
        }
    }
    return reached;
}

bool NormalSymbols::may_be_stuck(SymbolId symbol) const {
    Matcher const& matcher = matchers_[symbol];
    std::vector<bool> const reached = this->reached(matcher);
    for (StateId state = 0; state < reached.size(); ++state) {
        if (reached[state] && matcher.states[state].kind == State::Kind::stuck)
            return true;
    }
    return false;
}

}  // namespace lockstep::term_rewriting::compiled
