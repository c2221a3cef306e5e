#pragma once
// Samples of a time on a GPU, taken with events. For nvcc only.

#include <cuda_runtime.h>
#include <cstddef>
#include <vector>

#include "baselines/peers/samples.hpp"

namespace lockstep::peers {

inline void check(cudaError_t code, char const* what) {
    require(code == cudaSuccess, std::string(what) + ": " + cudaGetErrorString(code));
}

// Device memory of a fixed size.
template <class T>
class Buffer {
public:
    explicit Buffer(std::size_t size) : size_(size) { check(cudaMalloc(&data_, size * sizeof(T)), "cudaMalloc"); }
    Buffer(Buffer const&) = delete;
    Buffer& operator=(Buffer const&) = delete;
    ~Buffer() { cudaFree(data_); }

    T* data() const { return data_; }
    std::size_t size() const { return size_; }
    std::size_t bytes() const { return size_ * sizeof(T); }
    void clear() { check(cudaMemset(data_, 0, bytes()), "cudaMemset"); }
    std::vector<T> to_vector() const {
        std::vector<T> values(size_);
        check(cudaMemcpy(values.data(), data_, bytes(), cudaMemcpyDeviceToHost), "cudaMemcpy");
        return values;
    }

private:
    T* data_ = nullptr;
    std::size_t size_;
};

// Waits, so that work can be queued behind it.
static __global__ void hold(unsigned long long const nanoseconds) {
    unsigned long long start = 0, now = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - start < nanoseconds);
}

// Seconds between two events around work on the default stream. As for our own rows, a kernel that waits runs first:
// the events then read the device's time for short launches, not the host's time for queueing them.
class EventTimer {
public:
    EventTimer() {
        check(cudaEventCreate(&begin_), "cudaEventCreate");
        check(cudaEventCreate(&end_), "cudaEventCreate");
    }
    EventTimer(EventTimer const&) = delete;
    EventTimer& operator=(EventTimer const&) = delete;
    ~EventTimer() {
        cudaEventDestroy(begin_);
        cudaEventDestroy(end_);
    }

    template <class Body>
    double operator()(Body const& body) const {
        check(cudaDeviceSynchronize(), "work before the sample");
        hold<<<1, 1>>>(300'000);
        check(cudaEventRecord(begin_), "cudaEventRecord");
        body();
        check(cudaGetLastError(), "launch");
        check(cudaEventRecord(end_), "cudaEventRecord");
        check(cudaEventSynchronize(end_), "work of the sample");
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, begin_, end_), "cudaEventElapsedTime");
        return 1e-3 * static_cast<double>(milliseconds);
    }

private:
    cudaEvent_t begin_ = nullptr;
    cudaEvent_t end_ = nullptr;
};

}  // namespace lockstep::peers
