#pragma once
// Memory of the compiled rewriter: the layout of terms in words, and the space of old terms, which a copying collector
// manages. Each worker owns its nursery (worker.hpp).

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "baselines/term_rewriting/compiled/abi.hpp"
#include "common/term_rewriting/reserved_memory.hpp"

namespace lockstep::term_rewriting::compiled {

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
          shift_(program.head_words == 0 ? 48 : 0),
          symbol_mask_((program.head_words == 0 ? PackedTerms::symbols : WideTerms::symbols) - 1),
          address_mask_(program.head_words == 0 ? PackedTerms::address_mask : WideTerms::address_mask) {}

    static bool is_head(Word word) { return (word & head_mark) != 0; }
    Word head(Word symbol) const { return head_mark | symbol << shift_; }
    unsigned symbol(Word head) const { return static_cast<unsigned>(head >> shift_ & symbol_mask_); }
    std::size_t arguments(Word head) const { return arities_[symbol(head)]; }
    std::size_t words(Word head) const { return term_words(head_words_, arguments(head)); }
    Word* argument(Word const* term, std::size_t index) const {
        return reinterpret_cast<Word*>(term[head_words_ + index] &
                                       (head_words_ + index == 0 ? address_mask_ : ~Word{0}));
    }
    // Precondition: the head of the term is already written.
    void set_argument(Word* term, std::size_t index, Word const* argument) const {
        Word& word = term[head_words_ + index];
        word = (head_words_ + index == 0 ? word & ~address_mask_ : 0) | reinterpret_cast<Word>(argument);
    }

private:
    unsigned short const* arities_;
    std::size_t head_words_;
    unsigned shift_;
    Word symbol_mask_;
    Word address_mask_;
};

// The space of old terms: two halves, one of them in use. Workers take chunks of it.
class OldSpace {
public:
    OldSpace(TermLayout const& layout, std::size_t bytes);

    // Returns null if the half is full.
    Word* take(std::size_t words);
    bool holds(Word const* term) const { return term >= halves_[used_].begin() && term < halves_[used_].end(); }
    Word const* begin() const { return halves_[used_].begin(); }
    std::size_t used_bytes() const {
        return static_cast<std::size_t>(end_.load(std::memory_order_relaxed) - halves_[used_].begin()) * sizeof(Word);
    }

    // A collection, on one thread while no worker runs: begin_collection(), move() for every root, finish_collection().
    void begin_collection();
    Word* move(Word* term);
    void finish_collection();
    void clear();

private:
    TermLayout layout_;
    ReservedMemory halves_[2];
    unsigned used_ = 0;
    std::atomic<Word*> end_;
    Word* copied_ = nullptr;  // end of the terms moved to the other half
};

}  // namespace lockstep::term_rewriting::compiled
