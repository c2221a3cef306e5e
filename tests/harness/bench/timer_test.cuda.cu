// The choice of the timer on a GPU: work on a stream that the stopwatch does not know must be timed whole.

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/bench/measure.hpp"
#include "harness/simt/cuda/check.hpp"
#include "harness/simt/devices.hpp"
#include "tests/support/sanitizers.hpp"

namespace lockstep::bench {
namespace {

using simt::cuda::check;

__global__ void spin(unsigned long long const nanoseconds, unsigned long long* const spun) {
    unsigned long long start = 0, now = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - start < nanoseconds);
    *spun = now - start;
}

enum class Where { given_stream, own_stream, own_stream_and_wait };

// Spins for a known time, and stores how long it really spun.
class SpinCase : public Case {
public:
    SpinCase(Where const where, unsigned long long const nanoseconds)
        : Case(Problem{{}, 1, 0, 1}), where_(where), nanoseconds_(nanoseconds) {
        check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
        check(cudaMallocManaged(&spun_, sizeof *spun_), "cudaMallocManaged");
    }
    SpinCase(SpinCase const&) = delete;
    SpinCase& operator=(SpinCase const&) = delete;
    ~SpinCase() override {
        cudaFree(spun_);
        cudaStreamDestroy(stream_);
    }
    void reset() override {}
    void run(simt::Stream const given) override {
        cudaStream_t const stream = where_ == Where::given_stream ? static_cast<cudaStream_t>(given.handle) : stream_;
        spin<<<1, 1, 0, stream>>>(nanoseconds_, spun_);
        check(cudaGetLastError(), "launch of spin");
        if (where_ == Where::own_stream_and_wait)
            check(cudaStreamSynchronize(stream), "spin");
    }
    std::vector<UnitResult> results(std::span<std::uint64_t const>) override { return {UnitResult{1}}; }
    Work work() const override { return {1, 0, 0}; }
    double spun_seconds() const { return static_cast<double>(*spun_) * 1e-9; }

private:
    Where where_;
    unsigned long long nanoseconds_;
    cudaStream_t stream_ = nullptr;
    unsigned long long* spun_ = nullptr;
};

struct Timed {
    Measurement measurement;
    double median = 0;
    double spun = 0;
};

Timed timed(Where const where, unsigned long long const nanoseconds) {
    SpinCase subject(where, nanoseconds);
    auto const stopwatch = make_stopwatch(Machine::cuda);
    MeasureOptions options;
    options.name = "spin";
    Timed result{measure(subject, *stopwatch, options), 0, subject.spun_seconds()};
    std::vector<double> seconds = result.measurement.seconds;
    std::nth_element(seconds.begin(), seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2), seconds.end());
    result.median = seconds[seconds.size() / 2];
    return result;
}

class BenchTimerCuda : public testing::Test {
protected:
    void SetUp() override {
        simt::DeviceList const list = simt::cuda_devices();
        if (list.devices.empty())
            GTEST_SKIP() << "no GPU: " << list.reason;
    }
};

constexpr unsigned long long two_milliseconds = 2'000'000;

// The kernel measures its own time, so this asserts a ratio of two clocks and no time of the machine. compute-sanitizer
// adds work of its own around each kernel, on the host too, which the clock of the kernel does not contain: neither the
// ratio nor the timer that is chosen by such a ratio means anything under it.
void expect_timer(Timed const& result, Timer const timer) {
    EXPECT_GT(result.median, 0);
    if (!tests::under_compute_sanitizer())
        EXPECT_EQ(result.measurement.timer, timer);
}

void expect_within_two_percent(Timed const& result) {
    if (!tests::under_compute_sanitizer())
        EXPECT_NEAR(result.median / result.spun, 1, 0.02);
}

TEST_F(BenchTimerCuda, ReadsWorkOnAForeignStreamWithinTwoPercent) {
    for (Where const where : {Where::own_stream, Where::own_stream_and_wait}) {
        Timed const result = timed(where, two_milliseconds);
        expect_timer(result, Timer::steady_clock);
        expect_within_two_percent(result);
    }
}

TEST_F(BenchTimerCuda, ReadsWorkOnTheGivenStreamByEvents) {
    Timed const result = timed(Where::given_stream, two_milliseconds);
    expect_timer(result, Timer::events);
    expect_within_two_percent(result);
}

// The shortest kernels take less time than their start does on the host: events time them.
TEST_F(BenchTimerCuda, ReadsAShortKernelByEvents) { expect_timer(timed(Where::given_stream, 2000), Timer::events); }

}  // namespace
}  // namespace lockstep::bench
