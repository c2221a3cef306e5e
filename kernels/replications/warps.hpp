#pragma once
// Warp-level parallelism (section 3): one lane of each warp runs replications, and the others are disabled.

#include "common/replications/parameters.hpp"
#include "kernels/replications/for_each_replication.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {

template <class Model, class Engine>
__global__ void __launch_bounds__(1024)
    warps(__grid_constant__ JobParameters const p, unsigned /*lanes*/, unsigned* const results) {
    for_each_replication(p.size, [&](unsigned long long index) { run_replication<Model, Engine>(p, index, results); });
}

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
