#pragma once
// The paper's macros (section 4, figures 3 and 4, table 1), with two slips put right: figure 3 divides the number of
// the thread in the grid by the warp size, which names two warps alike where a block is no multiple of 32 threads, and
// it leaves out the grid's z. Warps are counted block by block here.
//
//   WARP_BEGIN { WARP_INIT  ...code of one lane, with warpIdx...  }
//
// WARP_BEGIN leaves the braces to the user, as the paper's does.

#include "harness/simt/kernel.hpp"

// NOLINTBEGIN(cppcoreguidelines-macro-usage): the paper's interface is macros.
#define WARP_BEGIN if (::lockstep::simt::LOCKSTEP_MACHINE::lane_id() == 0)
#define WARP_INIT                                                                                                 \
    unsigned const warpIdx =                                                                                      \
        ::lockstep::simt::LOCKSTEP_MACHINE::block_rank() * ::lockstep::simt::LOCKSTEP_MACHINE::warps_in_block() + \
        ::lockstep::simt::LOCKSTEP_MACHINE::warp_id();
// NOLINTEND(cppcoreguidelines-macro-usage)

namespace lockstep::replications::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

// Warps of the launch: how far a warp's next replication is.
__device__ inline unsigned long long warps_in_grid() {
    return static_cast<unsigned long long>(blocks_in_grid()) * warps_in_block();
}

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
