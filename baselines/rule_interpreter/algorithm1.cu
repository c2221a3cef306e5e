// Algorithms 1 and 2 (section 3): a block a state, whose threads take the values of a rule in turn. Algorithm 1 applies
// one rule a launch; Algorithm 2 all rules in one kernel, with a barrier between. A block of 32 threads is the middle of
// Figure 3.
//
// Put right: the loop starts at the thread's index in its group, not at the group's index (line 1 of both).

#include "kernels/rule_interpreter/team.hpp"

#include "kernels/rule_interpreter/job_case.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

template <class Layout, class Rules>
__global__ void algorithm2(__grid_constant__ Parameters const p) {
    Team<BlockWidth, State<Layout>> team(p, State<Layout>(p, block_rank()));
    run_program(team, p, Rules());
}

namespace {

Launching a_block_a_state(Job const& job, bench::Axes const& axes) {
    Launching launching;
    launching.name = "algorithm2";
    launching.shape.block.x = axis_or(axes, "block", 256);
    launching.shape.grid.x = static_cast<unsigned>(job.states);
    launching.shape.shared_bytes = sizeof(BlockSums);
    launching.kernels = {with_program(job.workload, layout_from_string(axes.text("layout")),
                                      []<class L, class P>() -> Kernel { return algorithm2<L, P>; })};
    return launching;
}

}  // namespace

void add_algorithm1(bench::Experiment& experiment);

void add_algorithm1(bench::Experiment& experiment) {
    experiment.variants.push_back(job_variant("algorithm2", bench::Role::baseline,
                                              "a block a state, all rules in one kernel (Algorithm 2)",
                                              a_block_a_state, no_groups));
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
