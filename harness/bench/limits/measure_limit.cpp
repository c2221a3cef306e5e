#include "harness/bench/limits/measure_limit.hpp"

#include <algorithm>
#include <cmath>
#include <exception>

#include "harness/bench/failure.hpp"
#include "harness/bench/google_timing.hpp"
#include "harness/bench/interrupt.hpp"
#include "harness/bench/measure.hpp"
#include "harness/stats/summary.hpp"

namespace lockstep::limits {

namespace {

std::string case_name(Limit const& limit) {
    return "limits/" + limit.name + "/" + std::string(simt::to_string(limit.machine));
}

// Checks one run on poisoned outputs.
std::string verify(Probe& probe, bench::Stopwatch& stopwatch) {
    probe.reset();
    stopwatch.synchronize();
    probe.run(stopwatch.stream());
    stopwatch.synchronize();
    return probe.check();
}

// Runs until clock rates and caches have reached a steady state. Returns the number of launches per sample.
unsigned warm_up(Probe& probe, bench::Stopwatch& stopwatch, MeasureSettings const& settings) {
    auto const run = [&] { probe.run(stopwatch.stream()); };
    double once = 1e300;
    double spent = 0;
    for (int n = 0; n < 2 || (spent < settings.warm_up_seconds && n < 1000); ++n) {
        double const seconds = stopwatch.seconds(run, 1);
        once = std::min(once, seconds);
        spent += std::max(seconds, 1e-5);
    }
    return static_cast<unsigned>(std::clamp(std::ceil(settings.sample_seconds / std::max(once, 1e-9)), 1.0, 500.0));
}

void state_times(LimitMeasurement& result, std::vector<double> const& seconds, std::vector<double> const& clocks,
                 unsigned multiprocessors) {
    stats::Summary const summary = stats::summarize(seconds);
    bench::CaseTime time;
    time.median = summary.median;
    time.low = summary.median_interval ? summary.median_interval->low : summary.minimum;
    time.high = summary.median_interval ? summary.median_interval->high : summary.maximum;
    time.coverage = summary.median_interval ? summary.median_interval->coverage : 0;
    time.mean = summary.mean;
    time.sigma = summary.sigma.value_or(0);
    time.mad = summary.median_absolute_deviation;
    time.cv = summary.coefficient_of_variation.value_or(0);
    result.time = time;

    bool const rate = result.limit.quantity == Quantity::rate;
    result.value = rate ? result.items / time.median : time.median / result.items;
    result.low = rate ? result.items / time.high : time.low / result.items;
    result.high = rate ? result.items / time.low : time.high / result.items;
    if (clocks.empty()) {
        return;
    }
    result.clock_hz = stats::median(clocks);
    if (!result.limit.per_clock) {
        return;
    }
    // Each sample is paired with the clock rate measured right after it.
    std::vector<double> lanes;
    for (std::size_t i = 0; i < seconds.size(); ++i) {
        lanes.push_back(result.items / (seconds[i] * clocks[i] * multiprocessors));
    }
    result.per_unit_and_clock = stats::median(lanes);
}

void time_probe(LimitMeasurement& result, Probe& probe, bench::Stopwatch& stopwatch, MeasureSettings const& settings) {
    unsigned const launches = warm_up(probe, stopwatch, settings);
    auto const run = [&] { probe.run(stopwatch.stream()); };
    // Poison the outputs again, so that the final check covers the timed runs; one run warms the caches again.
    probe.reset();
    stopwatch.synchronize();
    run();
    std::vector<double> clocks;
    bench::Work const work{result.items, result.bytes, 0};
    bench::Repetitions repetitions = bench::time_repetitions(case_name(result.limit), settings.repetitions, work, [&] {
        if (bench::interrupt_requested()) {
            throw bench::Interrupted();
        }
        double const seconds = stopwatch.seconds(run, launches) / launches;
        if (settings.clock_meter != nullptr) {
            clocks.push_back(settings.clock_meter->hertz(stopwatch.stream()));
        }
        return seconds;
    });
    stopwatch.synchronize();
    result.reason = probe.check();
    if (!result.reason.empty()) {
        result.status = bench::Status::disagrees;
        result.reason = "after timing: " + result.reason;
        return;
    }
    result.status = bench::Status::ok;
    result.launches_per_sample = launches;
    result.repetitions = settings.repetitions;
    result.timing_document = std::move(repetitions.document);
    state_times(result, repetitions.seconds, clocks, settings.scale.multiprocessors);
}

}  // namespace

LimitMeasurement measure_limit(Limit const& limit, bench::Stopwatch& stopwatch, MeasureSettings const& settings) {
    LimitMeasurement result;
    result.limit = limit;
    try {
        std::unique_ptr<Probe> const probe = limit.make(settings.scale);
        result.items = probe->items();
        result.bytes = probe->bytes();
        simt::KernelAttributes attributes = probe->kernel();
        if (!attributes.name.empty()) {
            result.kernels.push_back(std::move(attributes));
        }
        result.reason = verify(*probe, stopwatch);
        if (!result.reason.empty()) {
            result.status = bench::Status::disagrees;
        } else if (limit.machine == simt::Machine::emulator) {
            result.status = bench::Status::not_timed;
        } else {
            time_probe(result, *probe, stopwatch, settings);
        }
    } catch (bench::Interrupted const&) {
        throw;
    } catch (std::exception const& error) {
        result.status = bench::Status::failed;
        result.reason = bench::explained(error);
    }
    return result;
}

}  // namespace lockstep::limits
