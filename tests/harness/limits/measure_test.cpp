// measure_limit() verifies, times and verifies again: a probe with a wrong result gets no value.

#include "harness/bench/limits/measure_limit.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace lockstep::limits {
namespace {

using bench::Status;

// Reports 2 ms per launch, and 4 ms in every third sample.
class FakeStopwatch : public bench::Stopwatch {
public:
    void flush_cache() override {}
    double seconds(std::function<void()> const& work, unsigned launches) override {
        for (unsigned i = 0; i < launches; ++i) {
            work();
        }
        return (++samples_ % 3 == 0 ? 4e-3 : 2e-3) * launches;
    }

private:
    int samples_ = 0;
};

class FakeClock : public ClockMeter {
public:
    double hertz(simt::Stream) override { return 1e9; }
};

// A probe is correct before run `wrong_from`, and throws from run `throws_in` on.
struct Behaviour {
    int wrong_from = 1 << 30;
    int throws_in = 1 << 30;
};

class FakeProbe : public Probe {
public:
    explicit FakeProbe(Behaviour behaviour) : behaviour_(behaviour) {}
    void reset() override { right_ = false; }
    void run(simt::Stream) override {
        ++runs_;
        if (runs_ >= behaviour_.throws_in) {
            throw std::runtime_error("launch failed");
        }
        right_ = runs_ < behaviour_.wrong_from;
    }
    std::string check() override { return right_ ? "" : "word 0 is wrong"; }
    double items() const override { return 1000; }

private:
    Behaviour behaviour_;
    int runs_ = 0;
    bool right_ = false;
};

Limit fake_limit(Behaviour behaviour, Quantity quantity = Quantity::rate) {
    return {"fake",
            "things",
            "a fake",
            simt::Machine::cuda,
            quantity,
            true,
            [behaviour](Scale const&) -> std::unique_ptr<Probe> { return std::make_unique<FakeProbe>(behaviour); }};
}

LimitMeasurement measured(Limit const& limit) {
    FakeStopwatch stopwatch;
    FakeClock clock;
    MeasureSettings settings;
    settings.scale.multiprocessors = 10;
    settings.clock_meter = &clock;
    return measure_limit(limit, stopwatch, settings);
}

TEST(MeasureLimit, ARateIsItemsOverTheMedianTime) {
    LimitMeasurement const found = measured(fake_limit({}));
    EXPECT_EQ(found.status, Status::ok) << found.reason;
    EXPECT_DOUBLE_EQ(found.value, 1000 / 2e-3);
    EXPECT_DOUBLE_EQ(found.low, 1000 / 4e-3);
    EXPECT_DOUBLE_EQ(found.high, 1000 / 2e-3);
    EXPECT_DOUBLE_EQ(found.clock_hz, 1e9);
    EXPECT_DOUBLE_EQ(found.per_unit_and_clock, 1000 / 2e-3 / 1e9 / 10);
    ASSERT_TRUE(found.time.has_value());
    EXPECT_DOUBLE_EQ(found.time->median, 2e-3);
    EXPECT_EQ(found.repetitions, 11);
    EXPECT_NE(found.timing_document.find("limits/fake/cuda"), std::string::npos);
}

TEST(MeasureLimit, ADurationIsTheMedianTimeOverItems) {
    LimitMeasurement const found = measured(fake_limit({}, Quantity::duration));
    EXPECT_EQ(found.status, Status::ok) << found.reason;
    EXPECT_DOUBLE_EQ(found.value, 2e-3 / 1000);
    EXPECT_DOUBLE_EQ(found.low, 2e-3 / 1000);
    EXPECT_DOUBLE_EQ(found.high, 4e-3 / 1000);
}

void expect_no_value(LimitMeasurement const& found) {
    EXPECT_EQ(found.value, 0);
    EXPECT_FALSE(found.time.has_value());
    EXPECT_FALSE(found.reason.empty());
}

TEST(MeasureLimit, AWrongProbeHasNoValue) {
    LimitMeasurement const found = measured(fake_limit({1, 1 << 30}));
    EXPECT_EQ(found.status, Status::disagrees);
    expect_no_value(found);
}

TEST(MeasureLimit, AProbeThatGoesWrongWhileItIsTimedHasNoValue) {
    LimitMeasurement const found = measured(fake_limit({15, 1 << 30}));
    EXPECT_EQ(found.status, Status::disagrees);
    expect_no_value(found);
    EXPECT_NE(found.reason.find("after timing"), std::string::npos);
}

TEST(MeasureLimit, AFailedLaunchHasNoValue) {
    for (int const run : {1, 2, 15}) {
        LimitMeasurement const found = measured(fake_limit({1 << 30, run}));
        EXPECT_EQ(found.status, Status::failed) << run;
        expect_no_value(found);
        EXPECT_NE(found.reason.find("launch failed"), std::string::npos);
    }
}

TEST(MeasureLimit, AProbeThatCannotBeMadeHasNoValue) {
    Limit limit = fake_limit({});
    limit.make = [](Scale const&) -> std::unique_ptr<Probe> { throw std::runtime_error("no memory"); };
    LimitMeasurement const found = measured(limit);
    EXPECT_EQ(found.status, Status::failed);
    expect_no_value(found);
}

TEST(MeasureLimit, TheEmulatorIsNotTimed) {
    Limit limit = fake_limit({});
    limit.machine = simt::Machine::emulator;
    LimitMeasurement const found = measured(limit);
    EXPECT_EQ(found.status, Status::not_timed);
    EXPECT_EQ(found.value, 0);
    EXPECT_FALSE(found.time.has_value());
}

}  // namespace
}  // namespace lockstep::limits
