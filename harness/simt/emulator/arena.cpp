#include "harness/simt/emulator/arena.hpp"

#include <sys/mman.h>

#include <cstring>
#include <new>
#include <utility>

#include "harness/simt/emulator/sanitizers.hpp"

namespace lockstep::simt::emulator {
namespace {

constexpr unsigned char poison = 0xA5;
// Between data and flags, so that a plain array that is overrun does not set flags.
constexpr std::size_t gap = 1024;

std::byte* map_pages(std::size_t bytes) {
    void* const pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) {
        throw std::bad_alloc();
    }
    return static_cast<std::byte*>(pages);
}

// The pages of the last block that ended on this CPU thread, for the next block of the same size.
struct SparePages {
    std::byte* pages = nullptr;
    std::size_t bytes = 0;

    ~SparePages() { replace(nullptr, 0); }
    void replace(std::byte* new_pages, std::size_t new_bytes) {
        if (pages != nullptr) {
            munmap(pages, bytes);
        }
        pages = new_pages;
        bytes = new_bytes;
    }
    std::byte* take() {
        bytes = 0;
        return std::exchange(pages, nullptr);
    }
};
thread_local SparePages spare;

}  // namespace

Arena::Arena(std::size_t bytes) : mapped_bytes_(2 * bytes + gap) {
    if (bytes == 0) {
        return;
    }
    bool const reused = spare.bytes == mapped_bytes_;
    view_.data = reused ? spare.take() : map_pages(mapped_bytes_);
    view_.written = reinterpret_cast<unsigned char*>(view_.data) + bytes + gap;
    view_.bytes = bytes;
    if (reused) {
        std::memset(view_.written, 0, bytes);
    }
    if constexpr (sanitizers::threads) {
        // Volatile, so that the compiler does not replace the loop with memset, which ThreadSanitizer would intercept
        // and report as a race with lanes.
        auto* const data = reinterpret_cast<unsigned char volatile*>(view_.data);
        for (std::size_t i = 0; i < bytes; ++i) {
            data[i] = poison;
        }
    } else {
        std::memset(view_.data, poison, bytes);
    }
}

// ThreadSanitizer forgets the accesses of the block's lanes when the pages are unmapped, so under it no block reuses
// another's.
Arena::~Arena() {
    if (view_.data == nullptr) {
        return;
    }
    if constexpr (sanitizers::threads) {
        munmap(view_.data, mapped_bytes_);
    } else {
        spare.replace(view_.data, mapped_bytes_);
    }
}

}  // namespace lockstep::simt::emulator
