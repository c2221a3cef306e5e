#pragma once
// The constant beginning of the heap of the engine `fast`: symbols, constants and the input (layout.hpp), and the
// roots of the input.

#include <cstdint>
#include <span>
#include <vector>

#include "common/term_rewriting/language/system.hpp"
#include "kernels/term_rewriting/fast/program.hpp"

namespace lockstep::term_rewriting::fast {

constexpr std::uint64_t max_granules = 0xfffffff0u;

class HeapInput {
public:
    // A term that is a task when the kernel starts, and the word of the input that refers to it.
    struct Root {
        std::uint64_t word;
        unsigned term;
    };
    static constexpr std::uint64_t no_word = ~std::uint64_t{0};  // the root is the input itself

    // Has about `max_roots` roots at most. Throws bench::Error if the input has too many nodes.
    HeapInput(Program const& program, System const& system, Terms const& terms, TermId input, std::size_t max_roots);

    unsigned input() const { return input_; }
    std::span<Root const> roots() const { return roots_; }
    Root whole() const { return {no_word, input_}; }
    LargeVector<unsigned> const& words() const { return words_; }

    // Makes the words of the roots refer to the results, one per root, or to the input again. Returns the whole term.
    unsigned put(std::span<unsigned const> results);
    void reset();

private:
    using References = LargeVector<unsigned char>;  // per term: the number of words that refer to it, at most 2

    References add_terms(System const& system, Terms const& terms, TermId input);
    void find_roots(Program const& program, References const& references, std::size_t max_roots);

    LargeVector<unsigned> words_;
    unsigned input_ = 0;
    std::vector<Root> roots_;
};

}  // namespace lockstep::term_rewriting::fast
