#pragma once
// Statistics that check the method: the coverage of the confidence intervals, and whether the walk visits the map
// evenly.

#include <map>
#include <string>
#include <vector>

#include "common/replications/workload.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::replications {

// Metrics of a job with one point:
//
//   mean_M, deviation_M   mean and standard deviation of each measure M (measures.hpp)
//   coverage_N            first measure only: share of Student's 95% intervals, each from N = 3, 10, 30 or 100
//                         consecutive replications, that contain the true mean; needs at least 1000 samples of N
//   chunks_p              walk: p-value of a chi-square test on the last chunks; needs at least 20 replications per
//                         chunk
//
// The true mean is pi for pi, steps * (1 / chunk width + 1 / chunk height) / 2 for the walk, and the mean of all
// replications for the queue.
bench::Metrics statistics_of(Job const& job, std::vector<bench::UnitResult> const& results);

}  // namespace lockstep::replications
