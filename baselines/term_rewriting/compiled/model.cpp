#include "baselines/term_rewriting/compiled/model.hpp"

#include <set>

namespace lockstep::term_rewriting::compiled {

namespace {

using Graph = std::vector<std::set<SymbolId>>;

// Returns, per symbol, the defined symbols that its rules call.
Graph calls_of(System const& system) {
    Graph calls(system.symbols.size());
    for (Rule const& rule : system.rules) {
        std::vector<TermId> roots = {rule.right};
        for (Condition const& condition : rule.conditions) {
            roots.push_back(condition.left);
            roots.push_back(condition.right);
        }
        for (SharedNode const& node : share(system.terms, roots).nodes) {
            if (!node.is_variable && system.symbols[node.head].defined)
                calls[system.terms.symbol(rule.left)].insert(node.head);
        }
    }
    return calls;
}

std::vector<bool> reachable(Graph const& calls, SymbolId start) {
    std::vector<bool> reached(calls.size(), false);
    std::vector<SymbolId> open = {start};
    while (!open.empty()) {
        SymbolId const symbol = open.back();
        open.pop_back();
        for (SymbolId const called : calls[symbol]) {
            if (!reached[called]) {
                reached[called] = true;
                open.push_back(called);
            }
        }
    }
    return reached;
}

}  // namespace

Model::Model(System const& system, bool packed)
    : system_(system),
      normal_(system),
      implied_(system, normal_),
      head_words_(packed && system.symbols.size() <= PackedTerms::symbols ? 0 : 1),
      reached_(system.symbols.size()),
      unbounded_(system.symbols.size()) {
    Graph const calls = calls_of(system);
    for (SymbolId symbol = 0; symbol < system.symbols.size(); ++symbol) {
        if (!calls[symbol].empty())
            reached_[symbol] = reachable(calls, symbol);
    }
    for (SymbolId symbol = 0; symbol < system.symbols.size(); ++symbol) {
        for (SymbolId other = 0; other < reached_[symbol].size(); ++other)
            unbounded_[symbol] = unbounded_[symbol] || (reached_[symbol][other] && recursive(other));
    }
}

std::size_t Constants::value(Model const& model, SymbolId symbol, std::vector<std::size_t> const& arguments) {
    if (arguments.empty())
        return std::size_t{symbol} << 1 | 1;
    std::vector<std::size_t> key = {symbol};
    key.insert(key.end(), arguments.begin(), arguments.end());
    auto const [found, added] = values_.try_emplace(std::move(key), 2 * words_);
    if (added) {
        entries_.push_back({symbol, arguments});
        words_ += model.words_of(symbol);
    }
    return found->second;
}

std::string Constants::text(std::size_t value) {
    std::string const number = std::to_string(value / 2);
    return value % 2 == 1 ? "immediate(" + number + ")" : "(constants + " + number + ")";
}

}  // namespace lockstep::term_rewriting::compiled
