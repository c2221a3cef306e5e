#pragma once
// Memory of the compiled rewriter: large ranges of addresses of which only what is touched is memory, and the space of
// old terms, collected by copying. Nurseries are their workers' own.

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "reference_cpu/term_rewriting/compiled/abi.hpp"

namespace lockstep::term_rewriting::compiled {

// Addresses without memory until they are written.
class Reserved {
public:
    Reserved() = default;
    // Throws bench::Error where even a small part of `bytes` cannot be reserved; may reserve less than asked for.
    explicit Reserved(std::size_t bytes, bool huge_pages = false);
    ~Reserved();
    Reserved(Reserved&& other) noexcept { swap(other); }
    Reserved& operator=(Reserved&& other) noexcept {
        swap(other);
        return *this;
    }

    Word* begin() const { return begin_; }
    Word* end() const { return begin_ + bytes_ / sizeof(Word); }
    std::size_t bytes() const { return bytes_; }
    // Gives the memory from `first` on back; the addresses stay.
    void release(Word* first, Word* last) const;

private:
    void swap(Reserved& other) noexcept;

    Word* begin_ = nullptr;
    std::size_t bytes_ = 0;
};

inline std::size_t arguments_of(Word header) { return (header >> 32) & 0xffff; }
inline bool is_header(Word word) { return (word & header_mark) != 0; }

// The old terms: one of two halves in use. Workers take chunks of it.
class OldSpace {
public:
    explicit OldSpace(std::size_t bytes);

    // Null where the half is full.
    Word* take(std::size_t words);
    bool holds(Word const* term) const { return term >= halves_[used_].begin() && term < halves_[used_].end(); }
    std::size_t used_bytes() const {
        return static_cast<std::size_t>(end_.load(std::memory_order_relaxed) - halves_[used_].begin()) * sizeof(Word);
    }

    // A collection, by one thread, while nothing else runs: move() every root, then finish().
    void begin_collection();
    Word* move(Word* term);
    void finish_collection();
    void clear();

private:
    Reserved halves_[2];
    unsigned used_ = 0;
    std::atomic<Word*> end_;
    Word* copied_ = nullptr;  // end of what was moved to the other half
};

}  // namespace lockstep::term_rewriting::compiled
