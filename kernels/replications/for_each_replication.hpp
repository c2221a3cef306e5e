#pragma once
// Warp-level parallelism as a function: the first `lanes` lanes of every warp call `body(index)`, each for different
// replications, until all `size` replications are done. 1 lane is the paper's WLP, 32 lanes are a thread per
// replication. The grid is arbitrary. With more than one lane, a block must consist of whole warps.

#include "kernels/replications/warp_macros.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {

template <class Body>
__device__ inline void for_each_replication(unsigned long long size, unsigned lanes, Body const& body) {
    unsigned const lane = lane_id();
    if (lane >= lanes)
        return;
    unsigned long long const warp = static_cast<unsigned long long>(block_rank()) * warps_in_block() + warp_id();
    for (unsigned long long index = warp * lanes + lane; index < size; index += warps_in_grid() * lanes)
        body(index);
}

// One lane per warp.
template <class Body>
__device__ inline void for_each_replication(unsigned long long size, Body const& body) {
    for_each_replication(size, 1, body);
}

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
