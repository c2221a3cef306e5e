#pragma once
// Time series of a model file: the warm-up that they show, and files of them.

#include <cstdint>

#include "experiments/replications/replicate_request.hpp"

namespace lockstep::replications {

// The number of steps of --warm-up. For mser-5, the largest that MSER-5 finds for any mean and point, in the average
// series of the first replications (Welch's average, at most 30 of them). Throws bench::Error if the series are too
// short, or a number leaves no step.
std::uint64_t warm_up_of(Request const& request, ModelSimulation& simulation);

// Throws bench::Error if the series of --replications replications are too long, or if their file cannot be one. If
// --precision decides on the number of replications, write_series() checks the length.
void check_series(Request const& request, ModelSimulation const& simulation);

// Writes the series of all replications to the file of --series: a line per point, replication and step. Throws
// bench::Error, if Parquet is wanted and Python's pyarrow is missing, too.
void write_series(Request const& request, ModelSimulation& simulation, std::uint64_t replications);

}  // namespace lockstep::replications
