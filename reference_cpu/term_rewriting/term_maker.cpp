#include "reference_cpu/term_rewriting/term_maker.hpp"

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

// The first of the names that the system has with so many arguments: S may be the letter of a tree.
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
      successor_(first_of(system, {"S", "Suc", "s"}, 1)) {}

TermId TermMaker::make(std::string const& name, std::vector<TermId> const& arguments) {
    auto found = symbols_.find(name);
    if (found == symbols_.end()) {
        std::optional<SymbolId> const symbol = symbol_named(system_, name);
        if (!symbol)
            throw bench::Error("no symbol " + name, "the system has none of that name");
        found = symbols_.emplace(name, *symbol).first;
    }
    return terms_.application(found->second, arguments);
}

TermId TermMaker::number(std::uint64_t value) {
    if (!share_numerals_) {
        TermId term = make(zero_);
        for (std::uint64_t i = 0; i < value; ++i)
            term = make(successor_, {term});
        return term;
    }
    if (numerals_.empty())
        numerals_.push_back(make(zero_));
    while (numerals_.size() <= value)
        numerals_.push_back(make(successor_, {numerals_.back()}));
    return numerals_[value];
}

TermId TermMaker::list(std::vector<unsigned> const& values) {
    std::string const cons = first_of(system_, {"Cons", "cons"}, 2);
    TermId term = make(first_of(system_, {"Nil", "nil"}, 0));
    for (std::size_t i = values.size(); i-- > 0;)
        term = make(cons, {number(values[i]), term});
    return term;
}

}  // namespace lockstep::term_rewriting
