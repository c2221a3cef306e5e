// The kernels that measure limits, on the GPU at small sizes, so that they also run under compute-sanitizer.

#include "harness/bench/limits/instruments.hpp"
#include "harness/simt/devices.hpp"
#include "tests/harness/limits/probe_checks.hpp"

namespace lockstep::limits {
namespace {

TEST(LimitKernelsCuda, AreCorrectOnTheGpu) {
    simt::DeviceList const list = simt::cuda_devices();
    if (list.devices.empty()) {
        GTEST_SKIP() << "no GPU: " << list.reason;
    }
    auto const stopwatch = bench::make_stopwatch(simt::Machine::cuda);
    Scale const scale = Scale::tiny();
    auto const limits = limits_of(simt::Machine::cuda, scale);
    EXPECT_GE(limits.size(), 26u);
    check_names(limits);
    for (Limit const& limit : limits) {
        check_probe(limit, scale, *stopwatch);
    }
}

TEST(LimitKernelsCuda, TheClockMeterIsPlausible) {
    simt::DeviceList const list = simt::cuda_devices();
    if (list.devices.empty()) {
        GTEST_SKIP() << "no GPU: " << list.reason;
    }
    auto const meter = make_clock_meter(simt::Machine::cuda);
    ASSERT_NE(meter, nullptr);
    double const hertz = meter->hertz({});
    EXPECT_GT(hertz, 1e8);
    EXPECT_LT(hertz, 1.05e3 * list.devices.front().clock_khz);
    EXPECT_GT(device_facts(list.devices.front()).memory_bytes_per_second, 1e10);
}

}  // namespace
}  // namespace lockstep::limits
