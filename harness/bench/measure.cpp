#include "harness/bench/measure.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "harness/bench/google_timing.hpp"
#include "harness/bench/interrupt.hpp"

namespace lockstep::bench {

namespace {

constexpr double short_launch = 50e-6;
constexpr double sample_target = 500e-6;
constexpr double warm_limit = 5e-3;    // a longer launch warms its own cache early in its run
constexpr double long_launch = 50e-3;  // the verified run and one more are enough to warm up
constexpr double max_digest_seconds = 20e-3;

// Poisons the outputs, restores the inputs and waits until the device is idle.
void prepare(Case& subject, Stopwatch& stopwatch) {
    subject.reset();
    stopwatch.synchronize();
}

// Compares the digest after each sample with the verified digest while that is inexpensive. The cost is measured on the
// first new output, because the case may have cached the digest of the verified one.
class DigestGuard {
public:
    DigestGuard(Case& subject, bool const wanted) : subject_(subject), active_(wanted) {
        if (active_)
            digest_ = timed_digest();
    }
    void check(std::size_t const repetition) {
        if (!active_ || timed_digest() == digest_)
            return;
        throw Disagreement("repetition " + std::to_string(repetition + 1) +
                           " returned a different digest than the verified run");
    }

private:
    std::uint64_t timed_digest() {
        auto const start = std::chrono::steady_clock::now();
        std::uint64_t const digest = subject_.digest();
        double const cost = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        active_ = cost < max_digest_seconds;
        return digest;
    }

    Case& subject_;
    bool active_;
    std::uint64_t digest_ = 0;
};

}  // namespace

unsigned launches_for(double const seconds_per_launch) {
    if (seconds_per_launch >= short_launch)
        return 1;
    double const wanted = std::ceil(sample_target / std::max(seconds_per_launch, 1e-9));
    return static_cast<unsigned>(std::clamp(wanted, 2.0, 1000.0));
}

int repetitions_for(int const requested, double const seconds_per_launch, double const max_seconds) {
    double const fitting = std::floor(max_seconds / std::max(seconds_per_launch, 1e-9));
    return fitting >= requested ? requested : std::min(requested, std::max(3, static_cast<int>(fitting)));
}

Measurement measure(Case& subject, Stopwatch& stopwatch, MeasureOptions const& options) {
    DigestGuard guard(subject, options.check_digest);
    simt::Stream const stream = stopwatch.stream();
    auto const run = [&] { subject.run(stream); };

    double once = 1e300;
    for (int warm_up = 0; warm_up < 2 && (warm_up == 0 || once < long_launch); ++warm_up) {
        prepare(subject, stopwatch);
        once = std::min(once, stopwatch.seconds(run, 1));
    }
    Measurement measurement;
    bool const several = subject.repeatable() && !options.cold;
    measurement.launches_per_sample = several ? launches_for(once) : 1;
    unsigned const launches = measurement.launches_per_sample;
    bool const warm = several && launches == 1 && once < warm_limit;

    int const count = repetitions_for(options.repetitions, once, options.max_seconds);
    std::size_t repetition = 0;
    Repetitions repetitions = time_repetitions(options.name, count, subject.work(), [&] {
        if (interrupt_requested())
            throw Interrupted();
        prepare(subject, stopwatch);
        if (options.cold)
            stopwatch.flush_cache();
        if (warm)
            run();
        double const seconds = stopwatch.seconds(run, launches) / launches;
        stopwatch.synchronize();
        guard.check(repetition++);
        return seconds;
    });
    measurement.seconds = std::move(repetitions.seconds);
    measurement.document = std::move(repetitions.document);
    return measurement;
}

}  // namespace lockstep::bench
