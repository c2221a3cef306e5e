#pragma once
// What the generators know of a system beyond its text: which symbols call which, and the terms that are made once.

#include <map>
#include <vector>

#include "baselines/term_rewriting/compiled/abi.hpp"
#include "common/term_rewriting/language/sharing.hpp"
#include "common/term_rewriting/language/system.hpp"

namespace lockstep::term_rewriting::compiled {

class Model {
public:
    // `packed`: terms as PackedTerms (abi.hpp), where the system has few enough symbols.
    explicit Model(System const& system, bool packed = true);

    System const& system() const { return system_; }
    bool defined(SymbolId symbol) const { return system_.symbols[symbol].defined; }
    // Some sequence of calls leads from the symbol to itself.
    bool recursive(SymbolId symbol) const { return recursive_[symbol]; }
    // Some sequence of calls leads to a recursive symbol: its work is not bounded by the text.
    bool unbounded(SymbolId symbol) const { return unbounded_[symbol]; }

    // 1 where a term's head has a word of its own.
    std::size_t head_words() const { return head_words_; }
    std::size_t words_of(SymbolId symbol) const { return term_words(head_words_, system_.arity(symbol)); }

private:
    System const& system_;
    std::size_t head_words_;
    std::vector<bool> recursive_;
    std::vector<bool> unbounded_;
};

// Closed terms of constructors, each distinct one once, laid out as words.
class Constants {
public:
    // The offset of the term's first word. The caller has asked for its arguments' offsets before.
    std::size_t offset(Model const& model, SymbolId symbol, std::vector<std::size_t> const& arguments);

    struct Entry {
        SymbolId symbol;
        std::vector<std::size_t> arguments;  // offsets
    };
    std::vector<Entry> const& entries() const { return entries_; }
    std::size_t words() const { return words_; }

private:
    std::map<std::vector<std::size_t>, std::size_t> offsets_;
    std::vector<Entry> entries_;
    std::size_t words_ = 0;
};

}  // namespace lockstep::term_rewriting::compiled
