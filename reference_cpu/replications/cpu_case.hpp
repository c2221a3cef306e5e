#pragma once
// Runs a job on the CPU, on one thread or on all cores.

#include <memory>

#include "common/replications/workload.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::replications {

// Each of `threads` threads takes one replication at a time. 0: one thread per hardware thread.
std::unique_ptr<bench::Case> make_cpu_case(Job const& job, unsigned threads);

}  // namespace lockstep::replications
