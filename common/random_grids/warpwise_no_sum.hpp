#pragma once
// Control that measures the cost of the warp sum: the loop of warpwise without the sum. Each lane decides by the count
// of its own row and takes as many steps as it is told to. It does not draw sets of exactly k, so it has its own
// reference and serves for timing only.
//
// It bounds warpwise from below: except for the sum, a step has the same instructions (the decision is five selects
// without a branch), and the numbers of steps and words are those that halving takes on average. A set takes 9 or 10
// steps where the mean is 9.82, so that the mean over a stream is right.

#include "common/random_grids/workload.hpp"
#include "harness/simt/kernel.hpp"

namespace lockstep::random_grids {

// Fractional bits of a number of steps.
inline constexpr unsigned step_fraction = 16;

// Mean steps per set of halving, with step_fraction fractional bits, over all planes, and with mixed k over all k.
// Precondition: at most 1024 sites.
unsigned control_steps(Workload const& workload);

}  // namespace lockstep::random_grids

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

// Sites that a lane wants in its row, of those that the board wants.
__host__ __device__ inline unsigned wanted_in_row(unsigned occupied) { return occupied / 32; }

// Whole steps for successive sets, whose mean is `mean`.
class ControlSteps {
public:
    __host__ __device__ explicit ControlSteps(unsigned mean) : mean_(mean) {}

    __host__ __device__ unsigned next() {
        sum_ += mean_;
        unsigned const steps = sum_ >> step_fraction;
        sum_ &= (1u << step_fraction) - 1;
        return steps;
    }

private:
    unsigned mean_;
    unsigned sum_ = 0;
};

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
