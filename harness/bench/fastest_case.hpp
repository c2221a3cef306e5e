#pragma once
// A choice by measurement: of several cases that do the same work, the one that runs fastest on this device.

#include <functional>
#include <memory>
#include <span>

#include "harness/bench/stopwatch.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::bench {

using CaseMaker = std::function<std::unique_ptr<Case>()>;

inline constexpr double max_trial_seconds = 5e-3;  // of a run

// All candidates compute the same results, or each names the variant whose reference has its results
// (Case::chosen_variant). On a GPU, if the problem is repeated and a run of the first one takes less than
// `max_run_seconds`, each candidate is timed, and the fastest is kept; otherwise the first one is made. A trial is at
// least six samples, each of about half a millisecond, or of one run if that takes 50 us or more. A candidate whose
// second run still takes more than twice as long as the best median so far is not timed. List first what a cost model
// expects to be the fastest, then what it may be wrong about: the first one stays unless another one is 1% faster. At
// most two candidates exist at a time, and one for which there is no memory beside the other is left out. Where the
// clock chooses, all metrics of the case are Metric::varying.
std::unique_ptr<Case> fastest_case(Problem const& problem, Machine machine, std::span<CaseMaker const> candidates,
                                   double max_run_seconds = max_trial_seconds);

// The same for a repeated problem by a given stopwatch, on any machine.
std::unique_ptr<Case> fastest_case(Stopwatch& stopwatch, std::span<CaseMaker const> candidates,
                                   double max_run_seconds = max_trial_seconds);

}  // namespace lockstep::bench
