#pragma once
// Measures one limit: verifies the probe, times it and verifies it again. The result is a median with its interval.

#include <optional>
#include <string>
#include <vector>

#include "harness/bench/limits/instruments.hpp"
#include "harness/bench/limits/limit.hpp"
#include "harness/bench/record.hpp"
#include "harness/bench/stopwatch.hpp"

namespace lockstep::limits {

struct LimitMeasurement {
    Limit limit;
    bench::Status status = bench::Status::failed;
    std::string reason;
    double value = 0;  // items per second or seconds per item; 0 unless the status is ok
    double low = 0;    // 95% interval of the value
    double high = 0;
    double clock_hz = 0;            // median over the samples; 0 without a meter
    double per_unit_and_clock = 0;  // items per SM and clock; 0 if not reported for this limit
    double items = 0;               // per launch
    double bytes = 0;
    unsigned launches_per_sample = 0;
    int repetitions = 0;
    std::optional<bench::CaseTime> time;  // per launch
    std::vector<simt::KernelAttributes> kernels;
    std::string timing_document;  // Google Benchmark's JSON
};

struct MeasureSettings {
    Scale scale;
    int repetitions = 11;  // at least 2
    double warm_up_seconds = 0.02;
    double sample_seconds = 2e-3;  // launches are repeated until a sample takes about this long
    ClockMeter* clock_meter = nullptr;
};

// Throws only bench::Interrupted: if a probe fails or computes a wrong result, the measurement has a status and a
// reason but no value. In the emulator, limits are verified but not timed.
LimitMeasurement measure_limit(Limit const& limit, bench::Stopwatch& stopwatch, MeasureSettings const& settings);

}  // namespace lockstep::limits
