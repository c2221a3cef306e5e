#include "common/term_rewriting/language/term_maker.hpp"

#include <optional>

#include "harness/bench/error.hpp"

namespace lockstep::term_rewriting {

namespace {

std::optional<SymbolId> symbol_named(System const& system, std::string const& name) {
    for (SymbolId symbol = 0; symbol < system.symbols.size(); ++symbol) {
        if (system.symbols[symbol].name == name)
            return symbol;
    }
    return std::nullopt;
}

// Returns the first of the names that the system declares with `arity` arguments: S may be the letter of a tree.
std::string first_of(System const& system, std::vector<std::string> const& names, std::size_t arity) {
    for (std::string const& name : names) {
        std::optional<SymbolId> const symbol = symbol_named(system, name);
        if (symbol && system.arity(*symbol) == arity)
            return name;
    }
    return names.front();
}

}  // namespace

TermMaker::TermMaker(System const& system, Terms& terms, bool share_numerals)
    : system_(system),
      terms_(terms),
      share_numerals_(share_numerals),
      zero_(first_of(system, {"Zero", "zero"}, 0)),
      successor_(first_of(system, {"S", "Suc", "s"}, 1)),
      nil_(first_of(system, {"Nil", "nil"}, 0)),
      cons_(first_of(system, {"Cons", "cons"}, 2)) {}

SymbolId TermMaker::symbol(std::string_view name) {
    auto found = symbols_.find(name);
    if (found == symbols_.end()) {
        std::optional<SymbolId> const symbol = symbol_named(system_, std::string(name));
        if (!symbol)
            throw bench::Error("no symbol " + std::string(name), "the system declares no such symbol");
        found = symbols_.emplace(name, *symbol).first;
    }
    return found->second;
}

TermId TermMaker::number(std::uint64_t value) {
    if (share_numerals_ && value < numerals_.size())
        return numerals_[value];
    SymbolId const successor = value == 0 ? 0 : symbol(successor_);
    if (!share_numerals_) {
        TermId term = make(zero_);
        for (std::uint64_t i = 0; i < value; ++i)
            term = terms_.application(successor, {&term, 1});
        return term;
    }
    if (numerals_.empty())
        numerals_.push_back(make(zero_));
    while (numerals_.size() <= value)
        numerals_.push_back(terms_.application(successor, {&numerals_.back(), 1}));
    return numerals_[value];
}

TermId TermMaker::list(std::vector<unsigned> const& values) {
    TermId term = make(nil_);
    SymbolId const cons = values.empty() ? 0 : symbol(cons_);
    for (std::size_t i = values.size(); i-- > 0;) {
        TermId const arguments[] = {number(values[i]), term};
        term = terms_.application(cons, arguments);
    }
    return term;
}

}  // namespace lockstep::term_rewriting
