// One thread per state (dismissed in section 4).
//
// What diverges: the lanes of a warp test the same value of 32 states, and wait for those whose value is enabled. On
// the way to a fixed point, they also wait for the slowest state. Bytes: those of the rule. Words of neighbouring lanes
// are neighbours in layout B only, `range` words apart in A, and 32 in C. Operations: a lane tests all values.
//
// Preconditions: a block consists of whole warps, because counting votes (program.hpp). Not layout C_group.

#include "common/rule_interpreter/team.hpp"

#include "common/rule_interpreter/job_case.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

template <class Layout, class Rules>
__global__ void thread_per_state(__grid_constant__ Parameters const p) {
    unsigned const state = block_rank() * threads_in_block() + thread_rank();
    bool const present = state < p.states;
    Team<ThreadWidth, State<Layout>> team(p, State<Layout>(p, present ? state : 0), present);
    run_program(team, p, Rules());
}

void add_thread_per_state(bench::Experiment& experiment) {
    experiment.variants.push_back(job_variant(
        "thread_per_state", bench::Role::baseline, "one thread per state (section 4)",
        [](Job const& job, bench::Axes const& axes) {
            LaunchPlan plan;
            plan.name = "thread_per_state";
            plan.shape.block.x = axis_or(axes, "block", 64);
            plan.shape.grid.x = blocks_for(job.states, plan.shape.block.x);
            plan.kernels = {with_program<false>(job.workload, layout_from_string(axes.text("layout")),
                                                [&]<class L, class P>() -> Kernel { return thread_per_state<L, P>; })};
            return plan;
        },
        no_groups));
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
