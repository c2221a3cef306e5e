#pragma once
// A large range of virtual addresses. The system backs a page with memory only when the program writes to it.

#include <cstddef>

namespace lockstep::term_rewriting {

class ReservedMemory {
public:
    using Word = unsigned long long;

    ReservedMemory() = default;
    // May reserve less than `bytes`. Throws bench::Error if even a small part of it cannot be reserved.
    explicit ReservedMemory(std::size_t bytes, bool huge_pages = false);
    ~ReservedMemory();
    ReservedMemory(ReservedMemory&& other) noexcept { swap(other); }
    ReservedMemory& operator=(ReservedMemory&& other) noexcept {
        swap(other);
        return *this;
    }

    Word* begin() const { return begin_; }
    Word* end() const { return begin_ + bytes_ / sizeof(Word); }
    std::size_t bytes() const { return bytes_; }
    // Returns the memory in [first, last) to the system; the addresses stay reserved.
    void release(Word* first, Word* last) const;

private:
    void swap(ReservedMemory& other) noexcept;

    Word* begin_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace lockstep::term_rewriting
