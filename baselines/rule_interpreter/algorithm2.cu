// Algorithm 2 (section 3): a block per state, whose threads take the values of a rule in turn; all rules in one kernel,
// with a barrier between. A block of 32 threads is the middle of Figure 3.
//
// Put right: the loop starts at the thread's index in its group, not at the group's index (line 1).

#include "common/rule_interpreter/team.hpp"

#include "baselines/rule_interpreter/block_per_state.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

template <class Layout, class Rules>
__global__ void algorithm2(__grid_constant__ Parameters const p) {
    Team<BlockWidth, State<Layout>> team(p, State<Layout>(p, block_rank()));
    run_program(team, p, Rules());
}

namespace {

LaunchPlan all_rules(Job const& job, bench::Axes const& axes) {
    LaunchPlan plan = block_per_state(job, axes);
    plan.name = "algorithm2";
    if (job.workload.base == RuleBase::several)
        plan.kernels = {algorithm2<LayoutA, SeveralProgram>};
    else if (layout_from_string(axes.text("layout")) == LayoutName::c)
        plan.kernels = {algorithm2<LayoutC, SudokuProgram>};
    else
        plan.kernels = {algorithm2<LayoutA, SudokuProgram>};
    return plan;
}

std::string one_rule_alone(bench::Axes const& axes) {
    bool const one = axes.text("rules") == "synthetic" || axes.text("rules") == "accesses";
    return one ? "with one rule it is Algorithm 1" : no_groups(axes);
}

}  // namespace

void add_algorithm2(bench::Experiment& experiment) {
    experiment.variants.push_back(job_variant("algorithm2", bench::Role::baseline,
                                              "a block a state, all rules in one kernel (Algorithm 2)", all_rules,
                                              one_rule_alone));
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
