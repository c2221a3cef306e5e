#pragma once
// Repetitions through Google Benchmark: manual time, one iteration per repetition, aggregates kept. This header hides
// the differences between its versions 1.7 and 1.8.

#include <functional>
#include <string>
#include <vector>

#include "harness/bench/variant.hpp"

namespace lockstep::bench {

struct Repetitions {
    std::vector<double> seconds;  // one per repetition, in order
    std::string document;         // Google Benchmark's JSON: context, and the aggregate rows
};

// Calls `sample`, which returns the seconds of one launch, `repetitions` (at least 2) times. An exception from `sample`
// ends the repetitions and is rethrown. `work` defines the rates.
Repetitions time_repetitions(std::string const& name, int repetitions, Work const& work,
                             std::function<double()> const& sample);

// Google Benchmark's JSON of repetitions that were timed before, with their seconds per launch.
std::string google_document(std::string const& name, std::vector<double> const& seconds, Work const& work);

// Google Benchmark's JSON with a context and no rows, for files without a timed case.
std::string timing_context();

}  // namespace lockstep::bench
