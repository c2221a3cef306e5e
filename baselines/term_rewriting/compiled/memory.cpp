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

void OldSpace::change_half(Word* end) {
    release();
    used_ = 1 - used_;
    end_ = end;
}

void OldSpace::release() {
    // Keeps a few pages, so that small heaps do not request the same pages from the system repeatedly.
    constexpr std::ptrdiff_t kept = std::ptrdiff_t{32} << 17;
    ReservedMemory const& half = halves_[used_];
    Word* const used = std::min(end_.load(), half.end());
    if (used - half.begin() > kept)
        half.release(half.begin() + kept, used);
}

void OldSpace::clear() { end_ = halves_[used_].begin(); }

}  // namespace lockstep::term_rewriting::compiled
