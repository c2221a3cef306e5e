#pragma once
// The emulator's buffers, in memory of device_memory.hpp.

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "harness/simt/emulator/device_memory.hpp"
#include "harness/simt/error.hpp"

namespace lockstep::simt::emulator {

// An array of `size` uninitialised elements. Move-only. Element types are trivially copyable, as on CUDA.
template <class T>
class Buffer {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    Buffer() = default;
    explicit Buffer(std::size_t size)
        : size_(size), data_(static_cast<T*>(allocate_device_memory(size * sizeof(T), alignof(T)))) {}

    std::size_t size() const { return size_; }
    T* data() { return data_.get(); }
    T const* data() const { return data_.get(); }

    // Copies from the host to the start of the buffer. Throws simt::Error if the buffer has fewer elements than `from`.
    void upload(std::span<T const> from) {
        check(0, from.size());
        if (!from.empty()) {
            std::memcpy(data_.get(), from.data(), from.size_bytes());
            hooks::note_written(data_.get(), from.size_bytes());
        }
    }
    // Copies to.size() elements, starting at index `first`, to the host.
    void download(std::span<T> to, std::size_t first = 0) const {
        check(first, to.size());
        if (!to.empty()) {
            std::memcpy(to.data(), data_.get() + first, to.size_bytes());
        }
    }
    std::vector<T> to_vector() const {
        std::vector<T> result(size_);
        download(result);
        return result;
    }
    void fill_bytes(unsigned char byte) {
        if (size_ != 0) {
            std::memset(data_.get(), byte, size_ * sizeof(T));
            hooks::note_written(data_.get(), size_ * sizeof(T));
        }
    }

private:
    void check(std::size_t first, std::size_t count) const {
        if (first > size_ || count > size_ - first) {
            throw Error("copy past the end of a buffer (the buffer is smaller)");
        }
    }

    struct Free {
        bool registered = hooks::wants_registration();
        void operator()(T* data) const { free_device_memory(data, alignof(T), registered); }
    };

    std::size_t size_ = 0;
    std::unique_ptr<T[], Free> data_;
};

}  // namespace lockstep::simt::emulator
