#pragma once
// Thread-level parallelism (section 3): a thread per replication. What diverges: whatever the model does (pi.hpp,
// mm1.hpp, walk.hpp).

#include "common/replications/parameters.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {

template <class Model, class Engine>
__global__ void __launch_bounds__(1024)
    threads(__grid_constant__ JobParameters const p, unsigned /*lanes*/, unsigned* const results) {
    unsigned long long const threads_in_grid = static_cast<unsigned long long>(blocks_in_grid()) * threads_in_block();
    unsigned long long const thread =
        static_cast<unsigned long long>(block_rank()) * threads_in_block() + thread_rank();
    for (unsigned long long index = thread; index < p.size; index += threads_in_grid) {
        run_replication<Model, Engine>(p, index, results);
    }
}

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
