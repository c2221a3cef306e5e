#include "harness/simt/emulator/arena.hpp"

#include <sys/mman.h>

#include <new>

namespace lockstep::simt::emulator {

// Maps new pages for each block. They are zero, so no byte is marked as written, and ThreadSanitizer forgets the
// accesses of the previous block's lanes.
Arena::Arena(std::size_t bytes) : mapped_bytes_(2 * bytes) {
    if (bytes == 0) {
        return;
    }
    void* const pages = mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) {
        throw std::bad_alloc();
    }
    view_.data = static_cast<std::byte*>(pages);
    view_.written = static_cast<unsigned char*>(pages) + bytes;
    view_.bytes = bytes;
    // Volatile, so that the compiler does not replace the loop with memset, which ThreadSanitizer would intercept and
    // report as a race with lanes.
    auto* const data = static_cast<unsigned char volatile*>(pages);
    for (std::size_t i = 0; i < bytes; ++i) {
        data[i] = 0xA5;
    }
}

Arena::~Arena() {
    if (view_.data != nullptr) {
        munmap(view_.data, mapped_bytes_);
    }
}

}  // namespace lockstep::simt::emulator
