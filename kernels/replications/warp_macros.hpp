#pragma once
// The paper's macros (section 4, figures 3 and 4, table 1), with two corrections to figure 3. It divides the thread's
// number in the grid by the warp size, which gives two warps the same index if a block is not a multiple of 32 threads;
// here warps are numbered block by block. It also omits the grid's z dimension.
//
//   WARP_BEGIN { WARP_INIT  ...code of one lane, with warpIdx...  }
//
// The user writes the braces after WARP_BEGIN, as in the paper.

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

// Number of warps in the grid: the distance between consecutive replications of a warp.
__device__ inline unsigned long long warps_in_grid() {
    return static_cast<unsigned long long>(blocks_in_grid()) * warps_in_block();
}

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
