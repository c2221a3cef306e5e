#include "common/term_rewriting/reserved_memory.hpp"

#include <sys/mman.h>

#include <utility>

#include "harness/bench/error.hpp"
#include "harness/simt/ceil_div.hpp"

namespace lockstep::term_rewriting {

namespace {

constexpr std::size_t page = std::size_t{1} << 21;  // a huge page

}  // namespace

ReservedMemory::ReservedMemory(std::size_t bytes, bool huge_pages) {
    bytes = simt::round_up(bytes, page);
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

ReservedMemory::~ReservedMemory() {
    if (begin_ != nullptr)
        munmap(begin_, bytes_);
}

void ReservedMemory::swap(ReservedMemory& other) noexcept {
    std::swap(begin_, other.begin_);
    std::swap(bytes_, other.bytes_);
}

void ReservedMemory::release(Word* first, Word* last) const {
    if (first < last)
        madvise(first, static_cast<std::size_t>(last - first) * sizeof(Word), MADV_DONTNEED);
}

}  // namespace lockstep::term_rewriting
