#pragma once
// Times one verified case: warm-up, the choice of the timer, several launches per sample if a launch is short, cold or
// hot cache, samples until their median is stable.

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/bench/clock_monitor.hpp"
#include "harness/bench/stopwatch.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::bench {

// A repetition whose output differs from the verified output.
class Disagreement : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// The user asked to stop.
class Interrupted : public std::runtime_error {
public:
    Interrupted() : std::runtime_error("interrupted") {}
};

// When enough samples are taken: at least `minimum`, then until the noise of the median is below `noise` or the samples
// take `seconds` in all, but at most `maximum`. nvbench's criterion has the same form. A long sample averages over
// short disturbances, so `few` are enough if they take `seconds` in all and their noise is below `noise_of_few`. Six is
// the smallest number that has a 95% interval of the median (harness/stats).
struct SampleRule {
    int minimum = 10;
    int maximum = 200;
    double noise = 0.005;
    double seconds = 0.5;
    int few = 6;
    double noise_of_few = 0.05;
};

struct MeasureOptions {
    std::string name;
    SampleRule samples;
    // More samples than samples.minimum are taken on request, as long as all take at most `max_seconds`.
    int repetitions = 0;
    double max_seconds = 1;
    bool exact_repetitions = false;  // the user's number: `repetitions` samples, whatever they take
    bool cold = false;
    // Of a run right before, by the host's clock; 0: there was none. A long one replaces the warm-up.
    double warm_run_seconds = 0;
    bool check_digest = true;               // compare the digest after each repetition if that is inexpensive
    ClockMonitor* clock_monitor = nullptr;  // read after each sample; null: throttling is not seen
};

struct Measurement {
    std::vector<double> seconds;  // per launch, one per repetition
    unsigned launches_per_sample = 1;
    Timer timer = Timer::steady_clock;
    int discarded = 0;                 // samples that were taken while the device was throttled
    std::vector<ClockReading> clocks;  // one per kept sample, if there is a monitor
    std::string document;              // Google Benchmark's JSON
};

// Keeps the case's last output, so that the caller can verify again. Throws Disagreement, Interrupted, std::logic_error
// for the emulator, and any exception of the case.
Measurement measure(Case& subject, Stopwatch& stopwatch, MeasureOptions const& options);

// Returns the number of launches per sample for samples of about half a millisecond; 1 if a launch takes 50 us or more.
unsigned launches_for(double seconds_per_launch);

// Half of the width of the median's interval (order statistics, 95%) over the median. Infinite for fewer than six
// samples, which have no such interval.
double noise_of(std::span<double const> seconds);

// Returns true if the rule needs no further sample.
bool is_enough(SampleRule const& rule, std::span<double const> seconds, unsigned launches_per_sample);

}  // namespace lockstep::bench
