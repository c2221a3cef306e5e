#pragma once
// Memory for the emulator's buffers: exactly the requested size, so that AddressSanitizer detects an access past its
// end. In a program with access checks, as cudaMalloc gives it: aligned to 256 bytes, and with redzones, which a wrong
// index reads instead of another buffer.

#include <cstddef>
#include <cstdlib>
#include <new>

#include "harness/simt/ceil_div.hpp"
#include "harness/simt/hooks/memory.hpp"

namespace lockstep::simt::emulator {

inline void* allocate_device_memory(std::size_t bytes, std::size_t alignment) {
    if (!hooks::wants_registration()) {
        return ::operator new (bytes, std::align_val_t{alignment});
    }
    std::size_t const all = round_up(bytes, hooks::alignment) + 2 * hooks::redzone;
    auto* const begin = static_cast<std::byte*>(::operator new (all, std::align_val_t{hooks::alignment}));
    hooks::note_allocated(begin + hooks::redzone, bytes, hooks::Memory::device);
    return begin + hooks::redzone;
}

// `registered`: whether the program had access checks when it allocated the memory.
inline void free_device_memory(void* data, std::size_t alignment, bool registered) {
    if (!registered) {
        ::operator delete (data, std::align_val_t{alignment});
    } else if (data != nullptr) {
        hooks::note_freed(data);
        ::operator delete (static_cast<std::byte*>(data) - hooks::redzone, std::align_val_t{hooks::alignment});
    }
}

}  // namespace lockstep::simt::emulator
