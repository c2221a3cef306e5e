// CUDA events around the work. A kernel that only waits runs first, so that all launches of a sample are queued when
// the first event fires. The time between the events is then the device's time, not the host's time for queueing.

#include <cuda_runtime.h>

#include <algorithm>
#include <memory>
#include <string>

#include "harness/bench/stopwatch.hpp"
#include "harness/simt/cuda/check.hpp"

namespace lockstep::bench {

namespace {

using simt::cuda::check;

__global__ void hold(unsigned long long const nanoseconds) {
    unsigned long long start = 0, now = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - start < nanoseconds);
}

class Event {
public:
    Event() { check(cudaEventCreate(&event_), "cudaEventCreate"); }
    Event(Event const&) = delete;
    Event& operator=(Event const&) = delete;
    ~Event() { cudaEventDestroy(event_); }
    cudaEvent_t get() const { return event_; }

private:
    cudaEvent_t event_ = nullptr;
};

struct DeviceMemoryFree {
    void operator()(void* const memory) const { cudaFree(memory); }
};

class CudaStopwatch : public Stopwatch {
public:
    CudaStopwatch() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate"); }
    CudaStopwatch(CudaStopwatch const&) = delete;
    CudaStopwatch& operator=(CudaStopwatch const&) = delete;
    ~CudaStopwatch() override { cudaStreamDestroy(stream_); }

    simt::Stream stream() const override { return {stream_}; }

    void synchronize() override { check(cudaDeviceSynchronize(), "cudaDeviceSynchronize"); }

    void flush_cache() override {
        if (!sweep_)
            allocate_sweep();
        check(cudaMemsetAsync(sweep_.get(), ++pattern_, sweep_bytes_, stream_), "cudaMemsetAsync");
        check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
    }

    double seconds(std::function<void()> const& work, unsigned const launches) override {
        // Queueing takes the host 3 us per launch, and the first launch reaches the device after 20 us.
        unsigned long long const delay = std::min(20'000ull + 3'000ull * launches, 3'000'000ull);
        hold<<<1, 1, 0, stream_>>>(delay);
        check(cudaGetLastError(), "launch of hold");
        check(cudaEventRecord(start_.get(), stream_), "cudaEventRecord");
        for (unsigned i = 0; i < launches; ++i)
            work();
        check(cudaEventRecord(stop_.get(), stream_), "cudaEventRecord");
        check(cudaEventSynchronize(stop_.get()), "cudaEventSynchronize");
        check(cudaGetLastError(), "timed work");
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, start_.get(), stop_.get()), "cudaEventElapsedTime");
        return static_cast<double>(milliseconds) * 1e-3;
    }

private:
    void allocate_sweep() {
        int device = 0;
        int cache_bytes = 0;
        check(cudaGetDevice(&device), "cudaGetDevice");
        check(cudaDeviceGetAttribute(&cache_bytes, cudaDevAttrL2CacheSize, device), "cudaDeviceGetAttribute");
        sweep_bytes_ = 2 * static_cast<std::size_t>(std::max(cache_bytes, 1 << 20));
        void* memory = nullptr;
        check(cudaMalloc(&memory, sweep_bytes_), "cudaMalloc");
        sweep_.reset(memory);
    }

    cudaStream_t stream_ = nullptr;
    Event start_;
    Event stop_;
    std::unique_ptr<void, DeviceMemoryFree> sweep_;
    std::size_t sweep_bytes_ = 0;
    int pattern_ = 0;
};

}  // namespace

std::unique_ptr<Stopwatch> make_cuda_stopwatch() { return std::make_unique<CudaStopwatch>(); }

}  // namespace lockstep::bench
