#pragma once
// Times one verified case: warm-up, several launches a sample where one is short, a cold or a hot cache.

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/bench/stopwatch.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::bench {

// A repetition whose output is not the verified one.
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
    double max_seconds = std::numeric_limits<double>::infinity();  // of all repetitions; at least three are made
    bool cold = false;
    bool check_digest = true;  // compare the digest after each repetition where that is cheap
};

struct Measurement {
    std::vector<double> seconds;  // of one launch, one a repetition
    unsigned launches_per_sample = 1;
    std::string document;  // Google Benchmark's JSON
};

// The case's last output stays in place, so that the caller can verify again. Throws Disagreement, Interrupted,
// std::logic_error for the emulator, and what the case throws.
Measurement measure(Case& subject, Stopwatch& stopwatch, MeasureOptions const& options);

// Launches a sample so that a sample takes about half a millisecond; 1 where a launch takes 50 us or more.
unsigned launches_for(double seconds_per_launch);

// Of `asked` repetitions those that fit into `max_seconds`, but three where so many were asked for.
int repetitions_for(int asked, double seconds_per_launch, double max_seconds);

}  // namespace lockstep::bench
