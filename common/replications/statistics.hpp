#pragma once
// What a job's results say of the method: do confidence intervals cover what they should, is the map visited evenly.

#include <map>
#include <string>
#include <vector>

#include "common/replications/workload.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::replications {

// Of a job of one point:
//   mean_M, deviation_M    of each measure M (measures.hpp)
//   coverage_N             of the first measure: share of Student's 95 % intervals, of N = 3, 10, 30 or 100
//   replications one
//                          after the other, that hold its true mean; with at least 1000 samples of N. The true mean is
//                          pi, the walk's steps * (1 / chunk width + 1 / chunk height) / 2, and for the queue the mean
//                          of all.
//   chunks_p               walk: chi-square over the last chunks, from 20 replications a chunk
bench::Metrics statistics_of(Job const& job, std::vector<bench::UnitResult> const& results);

}  // namespace lockstep::replications
