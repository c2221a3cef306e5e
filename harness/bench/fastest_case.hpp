#pragma once
// A choice by measurement: of several cases with the same results, the one that runs fastest on this device.

#include <functional>
#include <memory>
#include <span>

#include "harness/bench/stopwatch.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::bench {

using CaseMaker = std::function<std::unique_ptr<Case>()>;

// Makes each candidate, runs it some times and keeps the fastest; the first one stays unless another one is 1% faster.
// So list first what a cost model expects to be the fastest, then what it may be wrong about. Candidates must compute
// the same results, for which run is faster than the other may differ from call to call. At most two exist at a time.
//
// Only on a GPU, and only if a run of the first candidate takes less than 5 ms: a trial costs a dozen runs, which
// repays a job that is repeated. Otherwise the first candidate is made, and the others are not.
std::unique_ptr<Case> fastest_case(Machine machine, std::span<CaseMaker const> candidates);

// The same by a given stopwatch, on any machine.
std::unique_ptr<Case> fastest_case(Stopwatch& stopwatch, std::span<CaseMaker const> candidates);

}  // namespace lockstep::bench
