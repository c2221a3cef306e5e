// Measures the multiprocessor's clock against the device's nanosecond timer. Only CUDA has clock counters and timers.

#include <cuda_runtime.h>

#include "harness/bench/limits/instruments.hpp"
#include "harness/simt/buffer.hpp"
#include "harness/simt/cuda/check.hpp"

namespace lockstep::limits::cuda {

namespace {

__device__ unsigned long long nanoseconds() {
    unsigned long long now = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

// The timer advances in steps of up to a microsecond. Both readings are taken right after a step.
__device__ unsigned long long next_step() {
    unsigned long long const before = nanoseconds();
    unsigned long long now = before;
    while (now == before) {
        now = nanoseconds();
    }
    return now;
}

struct Reading {
    long long clocks;
    unsigned long long nanoseconds;
};

__global__ void count_clocks(long long const min_clocks, Reading* const reading) {
    unsigned long long const start = next_step();
    long long const first = clock64();
    while (clock64() - first < min_clocks) {
    }
    unsigned long long const end = next_step();
    *reading = {clock64() - first, end - start};
}

class KernelClockMeter : public ClockMeter {
public:
    KernelClockMeter() : reading_(1) {}
    double hertz(simt::Stream stream) override {
        count_clocks<<<1, 1, 0, static_cast<cudaStream_t>(stream.handle)>>>(500'000, reading_.data());
        simt::cuda::check(cudaGetLastError(), "launch of count_clocks");
        simt::cuda::check(cudaStreamSynchronize(static_cast<cudaStream_t>(stream.handle)), "count_clocks");
        Reading const found = reading_.to_vector().front();
        return static_cast<double>(found.clocks) / (static_cast<double>(found.nanoseconds) * 1e-9);
    }

private:
    simt::cuda::Buffer<Reading> reading_;
};

}  // namespace

std::unique_ptr<ClockMeter> make_clock_meter() { return std::make_unique<KernelClockMeter>(); }

}  // namespace lockstep::limits::cuda
