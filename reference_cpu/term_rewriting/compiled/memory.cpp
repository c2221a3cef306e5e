#include "reference_cpu/term_rewriting/compiled/memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <utility>

#include "harness/bench/error.hpp"

namespace lockstep::term_rewriting::compiled {

namespace {

constexpr std::size_t page = std::size_t{1} << 21;  // a huge page

}  // namespace

Reserved::Reserved(std::size_t bytes, bool huge_pages) {
    bytes = (bytes + page - 1) / page * page;
    for (; bytes >= page; bytes /= 2) {
        void* const found =
            mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (found != MAP_FAILED) {
            begin_ = static_cast<Word*>(found);
            bytes_ = bytes;
            if (huge_pages)
                madvise(found, bytes, MADV_HUGEPAGE);
            return;
        }
    }
    throw bench::Error("no memory for terms", "not even 2 MiB of addresses could be reserved");
}

Reserved::~Reserved() {
    if (begin_ != nullptr)
        munmap(begin_, bytes_);
}

void Reserved::swap(Reserved& other) noexcept {
    std::swap(begin_, other.begin_);
    std::swap(bytes_, other.bytes_);
}

void Reserved::release(Word* first, Word* last) const {
    if (first < last)
        madvise(first, static_cast<std::size_t>(last - first) * sizeof(Word), MADV_DONTNEED);
}

OldSpace::OldSpace(TermLayout const& layout, std::size_t bytes)
    : layout_(layout), halves_{Reserved(bytes, true), Reserved(bytes, true)} {
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
    Reserved const& to = halves_[1 - used_];
    for (Word* scan = to.begin(); scan < copied_;) {
        std::size_t const count = layout_.arguments(*scan);
        for (std::size_t i = 0; i < count; ++i)
            layout_.set_argument(scan, i, move(layout_.argument(scan, i)));
        scan += layout_.words(*scan);
    }
    // A little stays, so that small heaps do not ask the system for the same pages again and again.
    constexpr std::ptrdiff_t kept = std::ptrdiff_t{32} << 17;
    Reserved const& from = halves_[used_];
    Word* const end = std::min(end_.load(), from.end());
    if (end - from.begin() > kept)
        from.release(from.begin() + kept, end);
    used_ = 1 - used_;
    end_ = copied_;
}

void OldSpace::clear() { end_ = halves_[used_].begin(); }

}  // namespace lockstep::term_rewriting::compiled
