#include "baselines/term_rewriting/compiled/collection.hpp"

#include <algorithm>

namespace lockstep::term_rewriting::compiled {

Collection::Collection(OldSpace const& old, std::size_t workers)
    : layout_(old.layout()), from_(old.half()), to_(old.other_half()), workers_(workers), end_(to_.begin()) {}

Word* Collection::take_chunk(std::size_t words) {
    Word* const first = end_.fetch_add(static_cast<std::ptrdiff_t>(words), std::memory_order_relaxed);
    if (first + words <= to_.end())
        return first;
    full_.store(true, std::memory_order_relaxed);
    return nullptr;
}

void Collection::share(Segment segment) {
    std::unique_lock const lock(mutex_);
    shared_.push_back(segment);
    if (waiting_ > 0)
        changed_.notify_one();
}

bool Collection::take(Segment& segment) {
    std::unique_lock lock(mutex_);
    if (shared_.empty() && ++waiting_ == workers_)
        changed_.notify_all();
    while (shared_.empty()) {
        if (waiting_ == workers_)
            return false;
        changed_.wait(lock);
        if (!shared_.empty())
            --waiting_;
    }
    segment = shared_.back();
    shared_.pop_back();
    return true;
}

Copier::Copier(Collection& collection)
    : of_(collection),
      layout_(collection.layout_),
      first_(reinterpret_cast<Word>(collection.from_.begin())),
      bytes_(collection.from_.bytes()),
      alone_(collection.workers_ == 1) {}

Word* Copier::moved(Word* term) {
    // One unsigned comparison covers both ends: the difference wraps around below the half.
    if (reinterpret_cast<Word>(term) - first_ >= bytes_)
        return term;
    // No order is needed: nobody reads a copy through the address that it finds here before the collection ends.
    std::atomic_ref<Word> const first_word(*term);
    Word head = first_word.load(std::memory_order_relaxed);
    if (TermLayout::is_moved(head))
        return above_low_bits(head);
    std::size_t const words = layout_.words(layout_.symbol_of_head(head));
    if (static_cast<std::size_t>(chunk_end_ - free_) < words && !make_room(words))
        return term;
    Word* const copy = free_;
    copy[0] = head;
    if (words > 1)
        copy_words(copy + 1, term + 1, words - 1);
    Word const address = moved_mark | above(copy);
    if (alone_)
        first_word.store(address, std::memory_order_relaxed);
    else if (!first_word.compare_exchange_strong(head, address, std::memory_order_relaxed))
        return above_low_bits(head);
    free_ += words;
    return copy;
}

bool Copier::make_room(std::size_t words) {
    std::size_t const taken = std::max(words, Collection::chunk_words);
    Word* const next = of_.take_chunk(taken);
    if (next == nullptr)
        return false;
    if (next != chunk_end_) {
        if (scanned_ < free_)
            of_.share({scanned_, free_});
        scanned_ = free_ = next;
    }
    chunk_end_ = next + taken;
    return true;
}

// Returns the end of the copy.
Word* Copier::scan(Word* copy) {
    std::size_t const count = layout_.arguments(copy);
    for (std::size_t i = 0; i < count; ++i)
        layout_.set_argument(copy, i, moved(layout_.argument(copy, i)));
    return copy + layout_.words(layout_.symbol(copy));
}

void Copier::finish() {
    Collection::Segment segment;
    do {
        for (Word* copy = segment.first; copy != segment.second;)
            copy = scan(copy);
        while (scanned_ < free_) {
            // Moving its arguments may share the rest of the chunk, so it is left out first.
            Word* const copy = scanned_;
            scanned_ += layout_.words(layout_.symbol(copy));
            scan(copy);
        }
    } while (of_.take(segment));
}

}  // namespace lockstep::term_rewriting::compiled
