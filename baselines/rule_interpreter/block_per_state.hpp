#pragma once
// The launch of Algorithms 1 and 2: a block per state. For `.cu` files, after their kernels.

#include "common/rule_interpreter/job_case.hpp"
#include "common/rule_interpreter/team.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

inline LaunchPlan block_per_state(Job const& job, bench::Axes const& axes) {
    LaunchPlan plan;
    plan.shape.block.x = axis_or(axes, "block", 256);
    plan.shape.grid.x = static_cast<unsigned>(job.states);
    plan.shape.shared_bytes = sizeof(BlockSums);
    return plan;
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
