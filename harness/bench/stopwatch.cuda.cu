// CUDA events around the work. A kernel that only waits runs first, so that all launches of a sample are queued when
// the first event fires. The time between the events is then the device's time, not the host's time for queueing.
//
// Events see only the stream that they are queued on. Work on another stream runs while that kernel still waits, and
// the events miss it. timer_for() finds such work: it makes the kernel wait for longer than the work takes.

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
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
        double const queueing = std::max(3e-6, 1.5 * queueing_) * launches;
        return event_seconds(work, launches, std::min(20e-6 + queueing, 5e-3));
    }

    Timer timer_for(std::function<void()> const& work, double const seconds_by_host) override {
        queueing_ = 0;
        // Of long work, a fifth is enough to see what the events miss.
        bool const is_long = seconds_by_host > 10e-3;
        double const by_events = event_seconds(work, 1, is_long ? 0.2 * seconds_by_host : 2 * seconds_by_host + 100e-6);
        double const missed = seconds_by_host - by_events;
        if (is_long)
            return missed > 0.1 * seconds_by_host ? Timer::steady_clock : Timer::events;
        // Starting a kernel takes the host about 10 us, which events do not see.
        bool const nearly_all = missed > 0.9 * seconds_by_host && missed > 15e-6;
        bool const half = missed > 0.5 * seconds_by_host && missed > 100e-6;
        return nearly_all || half ? Timer::steady_clock : Timer::events;
    }

private:
    // Runs `work` behind a kernel that waits for `hold_seconds`.
    double event_seconds(std::function<void()> const& work, unsigned const launches, double const hold_seconds) {
        hold<<<1, 1, 0, stream_>>>(static_cast<unsigned long long>(hold_seconds * 1e9));
        check(cudaGetLastError(), "launch of hold");
        check(cudaEventRecord(start_.get(), stream_), "cudaEventRecord");
        auto const begin = std::chrono::steady_clock::now();
        for (unsigned i = 0; i < launches; ++i)
            work();
        double const queued = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        check(cudaEventRecord(stop_.get(), stream_), "cudaEventRecord");
        check(cudaEventSynchronize(stop_.get()), "cudaEventSynchronize");
        check(cudaGetLastError(), "timed work");
        // If the calls returned before the kernel ended, they only queued work, and this is how long that takes.
        if (queued < hold_seconds)
            queueing_ = std::max(queueing_, queued / launches);
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, start_.get(), stop_.get()), "cudaEventElapsedTime");
        return static_cast<double>(milliseconds) * 1e-3;
    }

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
    double queueing_ = 0;  // seconds for which the host queues one call of the present work
};

}  // namespace

std::unique_ptr<Stopwatch> make_cuda_stopwatch() { return std::make_unique<CudaStopwatch>(); }

}  // namespace lockstep::bench
