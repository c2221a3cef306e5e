// Clock readings: which reasons count as throttling, their summary, and what measure() does with throttled samples.

#include "harness/bench/clock_monitor.hpp"

#include <gtest/gtest.h>

#include "harness/bench/measure.hpp"

namespace lockstep::bench {
namespace {

TEST(BenchClockMonitor, HeatAndPowerThrottleButIdlenessAndSettingsDoNot) {
    EXPECT_FALSE(is_throttled({1.98e9, 40, 0x0}));
    EXPECT_FALSE(is_throttled({1.98e9, 40, 0x1 | 0x2 | 0x10 | 0x100}));
    for (std::uint64_t const bit : {0x04u, 0x08u, 0x20u, 0x40u, 0x80u})
        EXPECT_TRUE(is_throttled({1.98e9, 40, bit | 0x1})) << bit;
    EXPECT_EQ(throttle_names(0x41), std::vector<std::string>{"hw_thermal_slowdown"});
}

TEST(BenchClockMonitor, SummariesHaveTheMedianTheLowestAndTheHottest) {
    EXPECT_FALSE(summarise_clocks({}).has_value());
    std::vector<ClockReading> const readings = {{1.9e9, 50, 0}, {1.5e9, 71, 0x4}, {1.98e9, 60, 0x1}};
    ClockSummary const summary = summarise_clocks(readings).value();
    EXPECT_EQ(summary.sm_hz, 1.9e9);
    EXPECT_EQ(summary.sm_hz_min, 1.5e9);
    EXPECT_EQ(summary.temperature_c, 71);
    EXPECT_EQ(summary.throttle, std::vector<std::string>{"sw_power_cap"});
}

TEST(BenchClockMonitor, ThereIsNoneForAnUnknownDevice) { EXPECT_EQ(make_clock_monitor("not a uuid"), nullptr); }

// Reports throttling for the samples in which `throttled` says so.
class ScriptedMonitor : public ClockMonitor {
public:
    explicit ScriptedMonitor(std::function<bool(int)> throttled) : throttled_(std::move(throttled)) {}
    ClockReading read() override { return {1.98e9, 50, throttled_(sample_++) ? 0x20u : 0x0u}; }

private:
    std::function<bool(int)> throttled_;
    int sample_ = 0;
};

class NothingCase : public Case {
public:
    NothingCase() : Case(Problem{{}, 1, 0, 1}) {}
    void reset() override {}
    void run(simt::Stream) override {}
    std::vector<UnitResult> results(std::span<std::uint64_t const>) override { return {UnitResult{1}}; }
    Work work() const override { return {}; }
};

class SteadyStopwatch : public Stopwatch {
public:
    explicit SteadyStopwatch(double const seconds_per_launch) : seconds_(seconds_per_launch) {}
    void flush_cache() override {}
    double seconds(std::function<void()> const& work, unsigned const launches) override {
        for (unsigned i = 0; i < launches; ++i)
            work();
        return seconds_ * launches;
    }
    Timer timer_for(std::function<void()> const&, double) override { return Timer::events; }

private:
    double seconds_;
};

Measurement measured_with(ScriptedMonitor& monitor, double const seconds_per_launch = 1e-3) {
    NothingCase subject;
    SteadyStopwatch stopwatch(seconds_per_launch);
    MeasureOptions options;
    options.name = "nothing";
    options.clock_monitor = &monitor;
    return measure(subject, stopwatch, options);
}

TEST(BenchClockMonitor, ThrottledSamplesAreDiscardedAndCounted) {
    ScriptedMonitor monitor([](int const sample) { return sample % 3 == 1; });
    Measurement const measurement = measured_with(monitor);
    EXPECT_EQ(measurement.seconds.size(), 10u);
    EXPECT_EQ(measurement.discarded, 5);  // samples 1, 4, 7, 10 and 13 of the 15 taken
    EXPECT_TRUE(summarise_clocks(measurement.clocks).value().throttle.empty());
}

TEST(BenchClockMonitor, ADeviceThatStaysThrottledIsMeasuredWithTheReason) {
    ScriptedMonitor monitor([](int) { return true; });
    Measurement const measurement = measured_with(monitor);
    EXPECT_EQ(measurement.seconds.size(), 10u);
    EXPECT_EQ(measurement.discarded, 30);
    EXPECT_EQ(summarise_clocks(measurement.clocks).value().throttle, std::vector<std::string>{"sw_thermal_slowdown"});
}

TEST(BenchClockMonitor, LongSamplesAreNotDiscardedForMoreThanASecond) {
    ScriptedMonitor monitor([](int) { return true; });
    Measurement const measurement = measured_with(monitor, 0.4);
    EXPECT_EQ(measurement.discarded, 3);
    EXPECT_EQ(measurement.seconds.size(), 6u);
}

}  // namespace
}  // namespace lockstep::bench
