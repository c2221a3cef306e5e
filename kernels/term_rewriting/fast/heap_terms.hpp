#pragma once
// A normal form of the engine `fast` on the host. It holds the heap's words, and prints, digests or converts them
// without another copy.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/term_rewriting/language/digest_graph.hpp"
#include "common/term_rewriting/language/write_graph.hpp"
#include "kernels/term_rewriting/fast/program.hpp"

namespace lockstep::term_rewriting::fast {

class HeapTerms {
public:
    // Granules below input_granules are in the input's words. Granule `begin` is the first one in made().
    HeapTerms(Program const& program, unsigned const* input_words, std::uint64_t input_granules, std::uint64_t begin,
              std::uint64_t made_granules)
        : program_(program),
          input_words_(input_words),
          input_granules_(input_granules),
          begin_(begin),
          made_granules_(made_granules),
          made_(4 * made_granules) {}

    // The caller fills these words.
    std::span<unsigned> made() { return {made_.data(), 4 * made_granules_}; }

    // Used by write_graph() and GraphDigest.
    // Constructors above the roots of the input keep their mark.
    SymbolId symbol(unsigned term) const { return words(term)[0] & ~pending_mark; }
    std::size_t arguments(unsigned term) const { return program_.symbols[symbol(term)].arity; }
    unsigned argument(unsigned term, std::size_t index) const { return words(term)[1 + index]; }
    std::uint64_t offset(unsigned term) const {
        return term < input_granules_ ? std::uint64_t{term} : term - begin_ + input_granules_;
    }

    TermId add_to(Terms& terms, unsigned root) const;
    std::uint64_t digest(unsigned root) const;
    void write(unsigned root, PrintStyle const& style, Write const& write) const;

private:
    unsigned const* words(unsigned term) const {
        return term < input_granules_ ? input_words_ + 4 * std::uint64_t{term} : made_.data() + 4 * (term - begin_);
    }

    Program const& program_;
    unsigned const* input_words_;
    std::uint64_t input_granules_;
    std::uint64_t begin_;
    std::uint64_t made_granules_;
    LargeVector<unsigned> made_;
};

}  // namespace lockstep::term_rewriting::fast
