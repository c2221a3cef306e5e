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

// Seconds between two events around work on the default stream.
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
