#pragma once
// Warp-level parallelism as a function: the first `lanes` lanes of every warp call `body(index)`, each for replications
// of its own, until all `size` are done. 1 lane is the paper's WLP, 32 is a thread a replication. Any grid; any block
// for one lane, blocks of whole warps for more.

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

// One lane a warp.
template <class Body>
__device__ inline void for_each_replication(unsigned long long size, Body const& body) {
    for_each_replication(size, 1, body);
}

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
