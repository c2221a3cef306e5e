#pragma once
// Counts the iterations of a workload on a CPU.

#include "common/term_rewriting/workload.hpp"
#include "reference_cpu/term_rewriting/schedule.hpp"

namespace lockstep::term_rewriting {

struct Iterations {
    Schedule known_at_once;
    Schedule marked_in_passes;
    std::uint64_t digest = 0;  // of the normal form
};

// Throws bench::Error if a rule has a condition.
Iterations count_iterations(Workload const& workload);

}  // namespace lockstep::term_rewriting
