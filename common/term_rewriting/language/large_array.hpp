#pragma once
// Arrays of hundreds of megabytes on huge pages. With 4 KiB pages, page faults take a large share of the CPU time of
// tree_merge_sort of depth 20 on all cores, including its input and its digest.

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>
#include <utility>
#include <vector>

#include "harness/simt/ceil_div.hpp"

namespace lockstep::term_rewriting {

constexpr std::size_t huge_page = std::size_t{1} << 21;

// An allocator. It leaves elements that a vector adds without a value uninitialised.
template <class T>
struct HugePages {
    using value_type = T;

    HugePages() = default;
    template <class U>
    HugePages(HugePages<U> const&) {}

    T* allocate(std::size_t count) {
        if (count > std::numeric_limits<std::size_t>::max() / sizeof(T) - huge_page)
            throw std::bad_array_new_length();
        std::size_t const bytes = simt::round_up(count * sizeof(T), huge_page);
        bool const large = bytes > huge_page;
        void* const memory = large ? std::aligned_alloc(huge_page, bytes) : std::malloc(count * sizeof(T));
        if (memory == nullptr && count != 0)
            throw std::bad_alloc();
        if (large)
            ::madvise(memory, bytes, MADV_HUGEPAGE);
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t) noexcept { std::free(memory); }

    template <class U>
    void construct(U* at) {
        ::new (static_cast<void*>(at)) U;
    }
    template <class U, class... Arguments>
    void construct(U* at, Arguments&&... arguments) {
        ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...);
    }

    template <class U>
    bool operator==(HugePages<U> const&) const {
        return true;
    }
};

template <class T>
using LargeVector = std::vector<T, HugePages<T>>;

}  // namespace lockstep::term_rewriting
