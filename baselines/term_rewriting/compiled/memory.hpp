#pragma once
// Memory of the compiled rewriter: the layout of terms in words, and the space of old terms, which a copying collector
// manages. Each worker owns its nursery (worker.hpp).

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "baselines/term_rewriting/compiled/abi.hpp"
#include "common/term_rewriting/reserved_memory.hpp"

namespace lockstep::term_rewriting::compiled {

// With GCC for x86-64, frames of generated functions are not aligned to 16 bytes: aligning them costs two instructions
// per call. So what they call aligns its own frame. The compiler accepts that only without the registers of SSE.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define LOCKSTEP_FRAMES_OF_WORDS 1
#define LOCKSTEP_CALLED_BY_GENERATED __attribute__((force_align_arg_pointer))
#else
#define LOCKSTEP_FRAMES_OF_WORDS 0
#define LOCKSTEP_CALLED_BY_GENERATED
#endif

// Terms have few words: a function call would cost more than the copy.
inline void copy_words(Word* to, Word const* from, std::size_t words) {
    switch (words) {
        default:
            for (std::size_t i = words; i > 4; --i)
                to[i - 1] = from[i - 1];
            [[fallthrough]];
        case 4:
            to[3] = from[3];
            [[fallthrough]];
        case 3:
            to[2] = from[2];
            [[fallthrough]];
        case 2:
            to[1] = from[1];
            [[fallthrough]];
        case 1:
            to[0] = from[0];
    }
}

// The memory layout of a program's terms, for a runtime that supports all programs.
class TermLayout {
public:
    explicit TermLayout(Program const& program)
        : arities_(program.arities),
          head_words_(program.head_words),
          shift_(program.head_words == 0 ? PackedTerms::symbol_shift : WideTerms::symbol_shift),
          symbol_mask_((program.head_words == 0 ? PackedTerms::symbols : WideTerms::symbols) - 1) {}

    static bool is_moved(Word word) { return (word & low_mask) == moved_mark; }
    Word head(Word symbol) const { return symbol << shift_; }
    unsigned symbol_of_head(Word head) const { return static_cast<unsigned>(head >> shift_ & symbol_mask_); }
    unsigned symbol(Word const* term) const {
        return is_immediate(term) ? immediate_symbol(term) : symbol_of_head(*term);
    }
    std::size_t arguments(Word const* term) const { return arities_[symbol(term)]; }
    // The words of a term of the symbol that is not an immediate value.
    std::size_t words(unsigned symbol) const { return term_words(head_words_, arities_[symbol]); }
    Word* argument(Word const* term, std::size_t index) const {
        Word const word = term[head_words_ + index];
        return head_words_ + index == 0 ? above_low_bits(word) : reinterpret_cast<Word*>(word);
    }
    // Precondition: the head of the term is already written.
    void set_argument(Word* term, std::size_t index, Word const* argument) const {
        Word& word = term[head_words_ + index];
        word = head_words_ + index == 0 ? (word & low_mask) | above(argument) : reinterpret_cast<Word>(argument);
    }

private:
    unsigned short const* arities_;
    std::size_t head_words_;
    unsigned shift_;
    Word symbol_mask_;
};

// The space of old terms: two halves, one of them in use. Workers take chunks of it. A collection (collection.hpp)
// copies the live terms to the other half.
class OldSpace {
public:
    OldSpace(TermLayout const& layout, std::size_t bytes);

    // Returns null if the half is full.
    Word* take(std::size_t words);
    Word const* begin() const { return halves_[used_].begin(); }
    std::size_t used_bytes() const {
        return static_cast<std::size_t>(end_.load(std::memory_order_relaxed) - halves_[used_].begin()) * sizeof(Word);
    }

    TermLayout const& layout() const { return layout_; }
    ReservedMemory const& half() const { return halves_[used_]; }
    ReservedMemory const& other_half() const { return halves_[1 - used_]; }
    // Uses the other half, whose terms end at `end`, and returns most pages of this one to the system.
    void change_half(Word* end);
    // Returns most pages of the used half to the system. Nobody may read its terms afterwards.
    void release();
    void clear();

private:
    TermLayout layout_;
    ReservedMemory halves_[2];
    unsigned used_ = 0;
    std::atomic<Word*> end_;
};

}  // namespace lockstep::term_rewriting::compiled
