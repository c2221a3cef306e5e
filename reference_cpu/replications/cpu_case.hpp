#pragma once
// A job on the CPU, on one thread or on every core.

#include <memory>

#include "common/replications/workload.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::replications {

// Replications are dealt to `threads` threads one at a time; 0: as many as the machine has.
std::unique_ptr<bench::Case> make_cpu_case(Job const& job, unsigned threads);

}  // namespace lockstep::replications
