// The runner on a GPU: CUDA events time the toy kernel with a hot and a cold cache, and its digest equals the CPU's.

#include <gtest/gtest.h>

#include "harness/bench/runner.hpp"
#include "harness/simt/devices.hpp"
#include "tests/harness/bench/toy.hpp"

namespace lockstep::bench {
namespace {

CaseRecord run_on(Machine const machine, std::string const& variant, std::string const& cache) {
    static Experiment const experiment = toy::make_toy();
    Sweep sweep;
    sweep.name = "test";
    sweep.presets = {"quick"};
    sweep.axes = {{"count", {"100000"}}};
    Selection selection;
    selection.machines = {machine};
    selection.machines_are_explicit = true;
    selection.variant = variant;
    selection.cache = cache;
    return CaseRunner(RunOptions{}).run(plan_cases(experiment, {sweep}, selection).at(0));
}

TEST(BenchRunnerCuda, TimesAKernelAndAgreesWithTheCpu) {
    simt::DeviceList const list = simt::cuda_devices();
    if (list.devices.empty()) {
        GTEST_SKIP() << "no GPU: " << list.reason;
    }
    CaseRecord const hot = run_on(Machine::cuda, "kernel", "hot");
    ASSERT_EQ(to_string(hot.status), "ok") << hot.reason;
    EXPECT_GE(hot.launches_per_sample,
              1u);  // the number depends on the time: under a sanitizer one launch is long enough
    EXPECT_GT(hot.time.value().median, 0);
    ASSERT_EQ(hot.kernels.size(), 1u);
    EXPECT_GT(hot.kernels[0].registers, 0);
    CaseRecord const cold = run_on(Machine::cuda, "kernel", "cold");
    ASSERT_EQ(to_string(cold.status), "ok") << cold.reason;
    EXPECT_EQ(cold.launches_per_sample, 1u);
    EXPECT_EQ(hot.digest.value(), run_on(Machine::cpu, "right", "hot").digest.value());
    EXPECT_EQ(hot.digest, cold.digest);
}

}  // namespace
}  // namespace lockstep::bench
