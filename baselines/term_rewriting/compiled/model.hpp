#pragma once
// What the generator derives from a system: the calls between symbols, and the terms that are built once.

#include <map>
#include <string>
#include <vector>

#include "baselines/term_rewriting/compiled/abi.hpp"
#include "baselines/term_rewriting/compiled/implied_counts.hpp"
#include "baselines/term_rewriting/compiled/normal_symbols.hpp"
#include "common/term_rewriting/language/sharing.hpp"
#include "common/term_rewriting/language/system.hpp"

namespace lockstep::term_rewriting::compiled {

class Model {
public:
    // `packed`: use PackedTerms (abi.hpp) if the system has few enough symbols.
    explicit Model(System const& system, bool packed = true);

    System const& system() const { return system_; }
    bool defined(SymbolId symbol) const { return system_.symbols[symbol].defined; }
    // Returns true if some sequence of calls leads from the symbol to itself.
    bool recursive(SymbolId symbol) const { return calls(symbol, symbol); }
    // Returns true if a call of `from` is one of `to` or may lead to one.
    bool leads(SymbolId from, SymbolId to) const { return from == to || calls(from, to); }
    // Returns true if some sequence of calls leads to a recursive symbol, so the text does not bound the work.
    bool unbounded(SymbolId symbol) const { return unbounded_[symbol]; }

    NormalSymbols const& normal() const { return normal_; }
    ImpliedCounts const& implied() const { return implied_; }

    // Returns 1 if a term's head is a separate word, else 0.
    std::size_t head_words() const { return head_words_; }
    // Returns the words of memory that a term of the symbol takes.
    std::size_t words_of(SymbolId symbol) const {
        return system_.arity(symbol) == 0 ? 0 : term_words(head_words_, system_.arity(symbol));
    }

private:
    bool calls(SymbolId from, SymbolId to) const { return !reached_[from].empty() && reached_[from][to]; }

    System const& system_;
    NormalSymbols normal_;
    ImpliedCounts implied_;
    std::size_t head_words_;
    std::vector<std::vector<bool>> reached_;  // per symbol: those to which its rules lead; empty if they call none
    std::vector<bool> unbounded_;
};

// Closed constructor terms with arguments in their memory layout, each distinct term once. A value is that of a closed
// term: an odd number if it is immediate, else twice the offset of its first word.
class Constants {
public:
    // Returns the value of the term. `arguments`: values, from earlier calls.
    std::size_t value(Model const& model, SymbolId symbol, std::vector<std::size_t> const& arguments);
    // Returns the expression for the term of a value.
    static std::string text(std::size_t value);

    struct Entry {
        SymbolId symbol;
        std::vector<std::size_t> arguments;  // values
    };
    std::vector<Entry> const& entries() const { return entries_; }
    std::size_t words() const { return words_; }

private:
    std::map<std::vector<std::size_t>, std::size_t> values_;
    std::vector<Entry> entries_;
    std::size_t words_ = 0;
};

}  // namespace lockstep::term_rewriting::compiled
