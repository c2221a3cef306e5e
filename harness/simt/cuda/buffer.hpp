#pragma once
// Memory of the current CUDA device.

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/simt/cuda/check.hpp"

namespace lockstep::simt::cuda {

// An array of `size` uninitialised elements in device memory. Move-only. Copies block until they complete.
template <class T>
class Buffer {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    Buffer() = default;
    explicit Buffer(std::size_t size) : size_(size) {
        if (size != 0) {
            check(cudaMalloc(&data_, size * sizeof(T)), "cudaMalloc");
        }
    }
    Buffer(Buffer&& other) noexcept
        : size_(std::exchange(other.size_, 0)), data_(std::exchange(other.data_, nullptr)) {}
    Buffer& operator=(Buffer&& other) noexcept {
        std::swap(size_, other.size_);
        std::swap(data_, other.data_);
        return *this;
    }
    ~Buffer() { cudaFree(data_); }

    std::size_t size() const { return size_; }
    T* data() { return static_cast<T*>(data_); }
    T const* data() const { return static_cast<T const*>(data_); }

    // Copies from the host to the start of the buffer. Throws simt::Error if the buffer has fewer elements than `from`.
    void upload(std::span<T const> from) {
        check_range(0, from.size());
        if (from.empty()) {
            return;
        }
        check(cudaMemcpy(data_, from.data(), from.size_bytes(), cudaMemcpyHostToDevice), "cudaMemcpy to the device");
        // Copies from pageable memory may return before they arrive, and OwnStream does not wait for the default
        // stream.
        check(cudaStreamSynchronize(cudaStreamLegacy), "cudaMemcpy to the device");
    }
    // Copies to.size() elements, starting at index `first`, to the host.
    void download(std::span<T> to, std::size_t first = 0) const {
        check_range(first, to.size());
        if (to.empty()) {
            return;
        }
        check(cudaMemcpy(to.data(), data() + first, to.size_bytes(), cudaMemcpyDeviceToHost), "cudaMemcpy to the host");
    }
    std::vector<T> to_vector() const {
        std::vector<T> result(size_);
        download(result);
        return result;
    }
    void fill_bytes(unsigned char byte) {
        if (size_ == 0) {
            return;
        }
        check(cudaMemset(data_, byte, size_ * sizeof(T)), "cudaMemset");
        check(cudaDeviceSynchronize(), "cudaMemset");
    }

private:
    void check_range(std::size_t first, std::size_t count) const {
        if (first > size_ || count > size_ - first) {
            throw Error("copy past the end of a buffer (the buffer is smaller)");
        }
    }

    std::size_t size_ = 0;
    void* data_ = nullptr;
};

}  // namespace lockstep::simt::cuda
