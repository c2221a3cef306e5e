#pragma once
// The control that shows what the warp sum costs: the warpwise loop with every lane's own count and a decision that is
// given beforehand, so nothing is summed over the warp. It draws no set of exactly k: its own reference, and no use but
// timing.
//
// It takes floor(log2 N) steps (10 for 32x32, where halving takes 9.82 on average), includes in steps whose bit of
// `pattern` is set, and its result is subset + count, which keeps the count from being optimised away.

#include "harness/simt/kernel.hpp"

namespace lockstep::random_grids {

inline constexpr unsigned no_sum_pattern = 0x55555555u;

}  // namespace lockstep::random_grids

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

__host__ __device__ inline unsigned no_sum_steps(unsigned sites) {
    unsigned steps = 0;
    while (sites >> (steps + 1) != 0)
        ++steps;
    return steps;
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
