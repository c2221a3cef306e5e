#pragma once
// A choice by measurement: of several cases with the same results, the one that runs fastest on this device.

#include <functional>
#include <memory>
#include <span>

#include "harness/bench/stopwatch.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::bench {

using CaseMaker = std::function<std::unique_ptr<Case>()>;

// Candidates compute the same results, so the first one is made unless the problem is repeated on a GPU and a run takes
// less than 5 ms: then each candidate runs some times and the fastest is kept. A trial costs a dozen runs. List first
// what a cost model expects to be the fastest, then what it may be wrong about: the first one stays unless another one
// is 1% faster. At most two candidates exist at a time.
std::unique_ptr<Case> fastest_case(Problem const& problem, Machine machine, std::span<CaseMaker const> candidates);

// The same for a repeated problem by a given stopwatch, on any machine.
std::unique_ptr<Case> fastest_case(Stopwatch& stopwatch, std::span<CaseMaker const> candidates);

}  // namespace lockstep::bench
