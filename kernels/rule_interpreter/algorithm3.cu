// Algorithm 3 with Algorithm 4 (sections 4 and 5): compaction across the states of a group. algorithm3.hpp lists what
// of the pseudocode was put right.

#include "kernels/rule_interpreter/algorithm3.hpp"

#include "common/rule_interpreter/job_case.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

void add_algorithm3(bench::Experiment& experiment);

void add_algorithm3(bench::Experiment& experiment) {
    experiment.variants.push_back(job_variant(
        "algorithm3", bench::Role::paper, "compaction across the states of a group, as printed (Algorithms 3 and 4)",
        [](Job const& job, bench::Axes const& axes) {
            LaunchPlan plan;
            plan.name = "algorithm3";
            plan.settings.states_per_group = axis_or(axes, "states_per_group", 32);
            plan.shape.block.x = plan.settings.states_per_group * 32;
            plan.shape.grid.x = blocks_for(job.states, plan.settings.states_per_group);
            plan.shape.shared_bytes = sizeof(Algorithm3Memory);
            plan.kernels = {with_program(job.workload, layout_from_string(axes.text("layout")),
                                         [&]<class L, class P>() -> Kernel { return algorithm3<L, P>; })};
            return plan;
        }));
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
