#pragma once
// Times one verified case: warm-up, several launches per sample if a launch is short, cold or hot cache.

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

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

struct MeasureOptions {
    std::string name;
    int repetitions = 11;
    double max_seconds = std::numeric_limits<double>::infinity();  // of all repetitions; at least three are run
    bool cold = false;
    bool check_digest = true;  // compare the digest after each repetition if that is inexpensive
};

struct Measurement {
    std::vector<double> seconds;  // per launch, one per repetition
    unsigned launches_per_sample = 1;
    std::string document;  // Google Benchmark's JSON
};

// Keeps the case's last output, so that the caller can verify again. Throws Disagreement, Interrupted, std::logic_error
// for the emulator, and any exception of the case.
Measurement measure(Case& subject, Stopwatch& stopwatch, MeasureOptions const& options);

// Returns the number of launches per sample for samples of about half a millisecond; 1 if a launch takes 50 us or more.
unsigned launches_for(double seconds_per_launch);

// Returns how many of `requested` repetitions fit into `max_seconds`, but at least min(requested, 3).
int repetitions_for(int requested, double seconds_per_launch, double max_seconds);

}  // namespace lockstep::bench
