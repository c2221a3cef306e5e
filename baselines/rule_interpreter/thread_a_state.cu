// A thread a state (dismissed in section 4), and the control that the paper lacks: Algorithm 3's geometry, a warp a
// state in large blocks, without compaction.

#include "kernels/rule_interpreter/team.hpp"

#include "kernels/rule_interpreter/job_case.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

template <class Layout, class Rules>
__global__ void thread_a_state(__grid_constant__ Parameters const p) {
    unsigned const state = block_rank() * threads_in_block() + thread_rank();
    bool const present = state < p.states;
    Team<ThreadWidth, State<Layout>> team(p, State<Layout>(p, present ? state : 0), present);
    run_program(team, p, Rules());
}

template <class Layout, class Rules>
__global__ void __launch_bounds__(1024) uncompacted(__grid_constant__ Parameters const p) {
    unsigned const state = block_rank() * warps_in_block() + warp_id();
    if (state >= p.states)
        return;
    Team<WarpWidth, State<Layout>> team(p, State<Layout>(p, state));
    run_program(team, p, Rules());
}

void add_thread_a_state(bench::Experiment& experiment);

void add_thread_a_state(bench::Experiment& experiment) {
    experiment.variants.push_back(job_variant(
        "thread_a_state", bench::Role::baseline, "a thread a state (section 4)",
        [](Job const& job, bench::Axes const& axes) {
            Launching launching;
            launching.name = "thread_a_state";
            launching.shape.block.x = axis_or(axes, "block", 64);
            launching.shape.grid.x = blocks_for(job.states, launching.shape.block.x);
            launching.kernels = {
                with_program<false>(job.workload, layout_from_string(axes.text("layout")),
                                    [&]<class L, class P>() -> Kernel { return thread_a_state<L, P>; })};
            return launching;
        },
        no_groups));
    experiment.variants.push_back(job_variant(
        "uncompacted", bench::Role::baseline, "Algorithm 3's geometry, a warp a state, without compaction",
        [](Job const& job, bench::Axes const& axes) {
            Launching launching;
            launching.name = "uncompacted";
            launching.settings.states_a_group = axis_or(axes, "states_a_group", 32);
            launching.shape.block.x = launching.settings.states_a_group * 32;
            launching.shape.grid.x = blocks_for(job.states, launching.settings.states_a_group);
            launching.kernels = {with_program<false>(job.workload, layout_from_string(axes.text("layout")),
                                                     [&]<class L, class P>() -> Kernel { return uncompacted<L, P>; })};
            return launching;
        },
        no_groups));
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
