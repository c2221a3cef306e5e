#include "harness/bench/measure.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

#include "harness/bench/google_timing.hpp"
#include "harness/bench/interrupt.hpp"
#include "harness/stats/summary.hpp"

namespace lockstep::bench {

namespace {

constexpr double short_launch = 50e-6;
constexpr double sample_target = 500e-6;
constexpr double warm_limit = 5e-3;                // a longer launch warms its own cache early in its run
constexpr double long_launch = 50e-3;              // the verified run and one or two more are enough to warm up
constexpr double max_digest_seconds = 20e-3;       // of one digest
constexpr double max_seconds_of_digests = 100e-3;  // of all digests of a measurement
constexpr int max_discarded = 30;
constexpr double max_discarded_seconds = 1;

// Poisons the outputs, restores the inputs and waits until the device is idle.
void prepare(Case& subject, Stopwatch& stopwatch) {
    subject.reset();
    stopwatch.synchronize();
}

// Compares the digest after each sample with the verified digest until that has cost too much. The cost is measured on
// the first new output, because the case may have cached the digest of the verified one. The caller verifies the last
// sample in any case.
class DigestGuard {
public:
    DigestGuard(Case& subject, bool const wanted) : subject_(subject), active_(wanted) {
        if (active_)
            digest_ = timed_digest();
    }
    void check(std::size_t const repetition) {
        if (!active_ || timed_digest() == digest_)
            return;
        throw Disagreement("repetition " + std::to_string(repetition) +
                           " returned a different digest than the verified run");
    }

private:
    std::uint64_t timed_digest() {
        auto const start = std::chrono::steady_clock::now();
        std::uint64_t const digest = subject_.digest();
        double const cost = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        spent_ += cost;
        active_ = cost < max_digest_seconds && spent_ < max_seconds_of_digests;
        return digest;
    }

    Case& subject_;
    bool active_;
    double spent_ = 0;
    std::uint64_t digest_ = 0;
};

// A case that the host drives returns when its result is there. The queue of any other case must become empty.
Stopwatch::End end_of(Case const& subject) {
    return subject.is_host_driven() ? Stopwatch::End::result : Stopwatch::End::idle;
}

struct WarmUp {
    Timer timer = Timer::steady_clock;
    double seconds = 0;  // of one launch, by that timer
};

// Chooses the timer of a case that just ran for `found.seconds` by the host's clock. Returns false if that run may
// have included what only a first run does.
bool timer_follows_from_run(Case& subject, Stopwatch& stopwatch, std::function<void()> const& run, WarmUp& found) {
    bool ran = false;
    prepare(subject, stopwatch);
    found.timer = stopwatch.timer_for(
        [&] {
            ran = true;
            run();
        },
        found.seconds);
    return found.timer == Timer::events || !ran;
}

// Runs the case until caches and clocks are warm, and finds the timer that reads its work whole.
WarmUp warm_up(Case& subject, Stopwatch& stopwatch, std::function<void()> const& run, double const warm_run_seconds) {
    WarmUp found;
    if (warm_run_seconds >= long_launch) {
        found.seconds = warm_run_seconds;
        if (subject.is_host_driven() || timer_follows_from_run(subject, stopwatch, run, found))
            return found;
    }
    prepare(subject, stopwatch);
    found.seconds = stopwatch.host_seconds(run, 1, end_of(subject));
    if (found.seconds < long_launch) {
        prepare(subject, stopwatch);
        found.seconds = std::min(found.seconds, stopwatch.host_seconds(run, 1, end_of(subject)));
    }
    if (!subject.is_host_driven()) {
        prepare(subject, stopwatch);
        found.timer = stopwatch.timer_for(run, found.seconds);
    }
    // Of a long launch, the host's clock reads the same.
    if (found.timer == Timer::events && found.seconds < long_launch) {
        prepare(subject, stopwatch);
        found.seconds = stopwatch.seconds(run, 1);
    }
    return found;
}

// The rule for samples of about `seconds` each.
SampleRule rule_for(MeasureOptions const& options, double const seconds) {
    SampleRule rule = options.samples;
    if (options.exact_repetitions) {
        rule.few = rule.minimum = rule.maximum = options.repetitions;
        return rule;
    }
    double const fitting = std::floor(options.max_seconds / std::max(seconds, 1e-9));
    if (fitting > rule.minimum && options.repetitions > rule.minimum)
        rule.few = rule.minimum = static_cast<int>(std::min<double>(fitting, options.repetitions));
    rule.maximum = std::max(rule.maximum, rule.minimum);
    return rule;
}

// Decides on samples by what the monitor read after each. A device that stays throttled is measured as it is: the row
// then states the reasons.
class ThrottleFilter {
public:
    explicit ThrottleFilter(ClockMonitor* const monitor) : monitor_(monitor) {}

    // Notes the reading of a sample that took `seconds`. Returns false if the sample must be discarded.
    bool keeps(Measurement& measurement, double const seconds) {
        if (monitor_ == nullptr)
            return true;
        ClockReading const reading = monitor_->read();
        if (is_throttled(reading) && measurement.discarded < max_discarded && lost_ < max_discarded_seconds) {
            ++measurement.discarded;
            lost_ += seconds;
            return false;
        }
        measurement.clocks.push_back(reading);
        return true;
    }

private:
    ClockMonitor* monitor_;
    double lost_ = 0;
};

}  // namespace

unsigned launches_for(double const seconds_per_launch) {
    if (seconds_per_launch >= short_launch)
        return 1;
    double const wanted = std::ceil(sample_target / std::max(seconds_per_launch, 1e-9));
    return static_cast<unsigned>(std::clamp(wanted, 2.0, 1000.0));
}

double noise_of(std::span<double const> const seconds) {
    stats::Summary const summary = stats::summarize(seconds);
    if (!summary.median_interval || summary.median <= 0)
        return std::numeric_limits<double>::infinity();
    return (summary.median_interval->high - summary.median_interval->low) / 2 / summary.median;
}

bool is_enough(SampleRule const& rule, std::span<double const> const seconds, unsigned const launches_per_sample) {
    int const count = static_cast<int>(seconds.size());
    if (count < std::min(rule.few, rule.minimum))
        return false;
    bool const long_enough = std::accumulate(seconds.begin(), seconds.end(), 0.0) * launches_per_sample >= rule.seconds;
    if (count < rule.minimum)
        return long_enough && noise_of(seconds) < rule.noise_of_few;
    return count >= rule.maximum || long_enough || noise_of(seconds) < rule.noise;
}

Measurement measure(Case& subject, Stopwatch& stopwatch, MeasureOptions const& options) {
    DigestGuard guard(subject, options.check_digest);
    simt::Stream const stream = stopwatch.stream();
    auto const run = [&] { subject.run(stream); };

    Measurement measurement;
    WarmUp const warmed = warm_up(subject, stopwatch, run, options.warm_run_seconds);
    measurement.timer = warmed.timer;
    bool const several = subject.repeatable() && !options.cold;
    unsigned const launches = several ? launches_for(warmed.seconds) : 1;
    measurement.launches_per_sample = launches;
    bool const warm = several && launches == 1 && warmed.seconds < warm_limit;

    ThrottleFilter filter(options.clock_monitor);
    SampleRule const rule = rule_for(options, warmed.seconds * launches);
    while (!is_enough(rule, measurement.seconds, launches)) {
        if (interrupt_requested())
            throw Interrupted();
        prepare(subject, stopwatch);
        if (options.cold)
            stopwatch.flush_cache();
        if (warm)
            run();
        double const seconds =
            (measurement.timer == Timer::events ? stopwatch.seconds(run, launches)
                                                : stopwatch.host_seconds(run, launches, end_of(subject))) /
            launches;
        stopwatch.synchronize();
        if (!filter.keeps(measurement, seconds * launches))
            continue;
        measurement.seconds.push_back(seconds);
        guard.check(measurement.seconds.size());
    }
    measurement.document = google_document(options.name, measurement.seconds, subject.work());
    return measurement;
}

}  // namespace lockstep::bench
