#include "baselines/term_rewriting/compiled/memory.hpp"

#include <algorithm>
namespace lockstep::term_rewriting::compiled {

OldSpace::OldSpace(TermLayout const& layout, std::size_t bytes)
    : layout_(layout), halves_{ReservedMemory(bytes, true), ReservedMemory(bytes, true)} {
    end_ = halves_[0].begin();
}

Word* OldSpace::take(std::size_t words) {
    Word* const first = end_.fetch_add(static_cast<std::ptrdiff_t>(words), std::memory_order_relaxed);
    if (first + words > halves_[used_].end())
        return nullptr;
    return first;
}

void OldSpace::begin_collection() { copied_ = halves_[1 - used_].begin(); }

Word* OldSpace::move(Word* term) {
    if (!holds(term))
        return term;
    Word const head = *term;
    if (!TermLayout::is_head(head))
        return reinterpret_cast<Word*>(head);
    std::size_t const words = layout_.words(head);
    Word* const copy = copied_;
    copy_words(copy, term, words);
    copied_ += words;
    *term = reinterpret_cast<Word>(copy);
    return copy;
}

void OldSpace::finish_collection() {
    ReservedMemory const& to = halves_[1 - used_];
    for (Word* scan = to.begin(); scan < copied_;) {
        std::size_t const count = layout_.arguments(*scan);
        for (std::size_t i = 0; i < count; ++i)
            layout_.set_argument(scan, i, move(layout_.argument(scan, i)));
        scan += layout_.words(*scan);
    }
    // Keeps a few pages, so that small heaps do not request the same pages from the system repeatedly.
    constexpr std::ptrdiff_t kept = std::ptrdiff_t{32} << 17;
    ReservedMemory const& from = halves_[used_];
    Word* const end = std::min(end_.load(), from.end());
    if (end - from.begin() > kept)
        from.release(from.begin() + kept, end);
    used_ = 1 - used_;
    end_ = copied_;
}

void OldSpace::clear() { end_ = halves_[used_].begin(); }

}  // namespace lockstep::term_rewriting::compiled
