#pragma once
// harness/simt/streaming.hpp on the current CUDA device.

#include <memory>
#include <utility>

#include "harness/simt/cuda/check.hpp"
#include "harness/simt/machine.hpp"

namespace lockstep::simt::cuda {

// A stream that does not wait for the default one. Move-only.
class OwnStream {
public:
    OwnStream() {
        cudaStream_t made = nullptr;
        check(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking), "cudaStreamCreate");
        stream_.handle = made;
    }
    OwnStream(OwnStream&& other) noexcept : stream_(std::exchange(other.stream_, {})) {}
    OwnStream& operator=(OwnStream&& other) noexcept {
        std::swap(stream_, other.stream_);
        return *this;
    }
    ~OwnStream() {
        if (stream_.handle != nullptr)
            cudaStreamDestroy(static_cast<cudaStream_t>(stream_.handle));
    }

    simt::Stream get() const { return stream_; }

private:
    simt::Stream stream_;
};

// Uninitialised page-locked memory of the host. Copies from and to other memory do not overlap with other work.
inline std::shared_ptr<void> host_memory(std::size_t bytes) {
    void* found = nullptr;
    check(cudaMallocHost(&found, bytes), "cudaMallocHost");
    return {found, cudaFreeHost};
}

// Queues a copy from device memory to the host.
inline void queue_download(void* to, void const* from, std::size_t bytes, simt::Stream stream) {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, static_cast<cudaStream_t>(stream.handle)),
          "cudaMemcpyAsync to the host");
}

}  // namespace lockstep::simt::cuda
