#pragma once
// What the generator derives from a system: the calls between symbols, and the terms that are built once.

#include <map>
#include <vector>

#include "baselines/term_rewriting/compiled/abi.hpp"
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
    bool recursive(SymbolId symbol) const { return recursive_[symbol]; }
    // Returns true if some sequence of calls leads to a recursive symbol, so the text does not bound the work.
    bool unbounded(SymbolId symbol) const { return unbounded_[symbol]; }

    // Returns 1 if a term's head is a separate word, else 0.
    std::size_t head_words() const { return head_words_; }
    std::size_t words_of(SymbolId symbol) const { return term_words(head_words_, system_.arity(symbol)); }

private:
    System const& system_;
    std::size_t head_words_;
    std::vector<bool> recursive_;
    std::vector<bool> unbounded_;
};

// Closed constructor terms in their memory layout, each distinct term once.
class Constants {
public:
    // Returns the offset of the term's first word. `arguments`: the offsets of the arguments, from earlier calls.
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
