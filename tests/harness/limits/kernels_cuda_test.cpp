// The kernels that measure limits, on the GPU at small sizes, so that they also run under compute-sanitizer.

#include "harness/bench/limits/instruments.hpp"
#include "harness/cli/compile_limits.hpp"
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
    check_names(limits);
    for (char const* const name : {"launch.graph", "l2.read", "l2.write", "fma.double", "imad.high", "mufu.ex2",
                                   "mufu.rsqrt", "pcie.to_device", "pcie.to_host", "pcie.both"}) {
        EXPECT_TRUE(has_limit(limits, name)) << name;
    }
    for (Limit const& limit : limits) {
        check_probe(limit, scale, *stopwatch);
    }
}

#if defined(LOCKSTEP_WITH_CUDA)
TEST(LimitKernelsCuda, WhatIsCompiledAtRunTimeIsCorrect) {
    simt::DeviceList const list = simt::cuda_devices();
    if (list.devices.empty()) {
        GTEST_SKIP() << "no GPU: " << list.reason;
    }
    auto const stopwatch = bench::make_stopwatch(simt::Machine::cpu);
    auto const limits = cuda::compile_limits();
    check_names(limits);
    EXPECT_EQ(limits.size(), 2u);
    for (Limit const& limit : limits) {
        EXPECT_EQ(limit.machine, simt::Machine::cpu) << "the host's clock measures " << limit.name;
        check_probe(limit, Scale::tiny(), *stopwatch);
    }
}

// A sum of approximate results may be a few units per result too high or too low, and no more.
TEST(LimitKernelsCuda, AnApproximateInstructionIsCheckedAtFullLength) {
    simt::DeviceList const list = simt::cuda_devices();
    if (list.devices.empty()) {
        GTEST_SKIP() << "no GPU: " << list.reason;
    }
    auto const stopwatch = bench::make_stopwatch(simt::Machine::cuda);
    Scale scale = Scale::tiny();
    scale.length = 1;
    for (Limit const& limit : cuda::special_function_limits(scale)) {
        check_probe(limit, scale, *stopwatch);
    }
}
#endif

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
