// Control that the paper lacks: Algorithm 3's geometry, one warp per state in large blocks, without compaction.
//
// What diverges: lanes whose value is disabled wait for those of their warp that evaluate (team.hpp). Bytes and
// operations: those of the rule. It uses no shared memory, and warps do not wait for one another.
//
// Preconditions: a warp per state, at most 32 in a block. Not layout C_group.

#include "common/rule_interpreter/team.hpp"

#include "common/rule_interpreter/job_case.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

template <class Layout, class Rules>
__global__ void __launch_bounds__(1024) uncompacted(__grid_constant__ Parameters const p) {
    unsigned const state = block_rank() * warps_in_block() + warp_id();
    if (state >= p.states)
        return;
    Team<WarpWidth, State<Layout>> team(p, State<Layout>(p, state));
    run_program(team, p, Rules());
}

void add_uncompacted(bench::Experiment& experiment) {
    experiment.variants.push_back(job_variant(
        "uncompacted", bench::Role::baseline, "Algorithm 3's geometry, one warp per state, without compaction",
        [](Job const& job, bench::Axes const& axes) {
            return group_plan<false>("uncompacted", job, axes, 32, 0,
                                     [&]<class L, class P>() -> Kernel { return uncompacted<L, P>; });
        },
        no_groups));
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
