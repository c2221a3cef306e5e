#pragma once
// Control that measures the cost of the warp sum: the warpwise loop with each lane's own count and a predetermined
// decision, so no sum over the warp is needed. It does not draw sets of exactly k, so it has its own reference and
// serves for timing only.
//
// It takes floor(log2 N) steps (10 for 32x32, where halving takes 9.82 on average) and includes the selection in steps
// whose bit of `pattern` is set. Its result is subset + count, so that the compiler does not remove the count.

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
