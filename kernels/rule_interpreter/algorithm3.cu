// Variant `algorithm3`: Algorithm 3 with Algorithm 4 (sections 4 and 5), compaction across the states of a group.
// algorithm3.hpp lists the corrections to the pseudocode.

#include "kernels/rule_interpreter/algorithm3.hpp"

#include "common/rule_interpreter/job_case.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

void add_algorithm3(bench::Experiment& experiment) {
    experiment.variants.push_back(job_variant(
        "algorithm3", bench::Role::paper, "compaction across the states of a group, as printed (Algorithms 3 and 4)",
        [](Job const& job, bench::Axes const& axes) {
            return group_plan<true, true>("algorithm3", job, axes, 32, sizeof(Algorithm3Memory),
                                          [&]<class L, class P>() -> Kernel { return algorithm3<L, P>; });
        },
        {}, true));
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
