// `auto`: ours, whichever the job calls for. Short evaluations go through the warp queue, long ones through one list;
// states that are small and go on to a fixed point stay in shared memory.

#include "kernels/rule_interpreter/ours.hpp"
#include "kernels/rule_interpreter/queue_plan.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

void add_auto(bench::Experiment& experiment) {
    bench::Variant variant = job_variant(
        "auto", bench::Role::ours, "the warp queue, one list or cached states, as the rule base calls for",
        [](Job const& job, bench::Axes const& axes) {
            return job.workload.base == RuleBase::sudoku ? launch_cached(job, axes) : launch_queue(job, axes);
        },
        queue_unsupported_reason);
    variant.make = [make = variant.make](bench::Problem const& problem) {
        return list_pays(job_of(problem)) ? make_list(problem) : make(problem);
    };
    experiment.variants.push_back(std::move(variant));
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
