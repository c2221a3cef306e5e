// Variant `auto`: the variant of ours that the plan expects to be the fastest for the job (queue_plan.hpp). A variant
// that does not support the layout or the geometry gives way to the warp queue.

#include "kernels/rule_interpreter/ours.hpp"
#include "kernels/rule_interpreter/queue_plan.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

namespace {

LaunchPlan launch_chosen(Job const& job, bench::Axes const& axes) {
    switch (choose(job, queue_constants(machine))) {
        case Choice::bit_board:
            return bit_board_unsupported_reason(axes).empty() ? launch_bit_board(job, axes) : launch_cached(job, axes);
        case Choice::fused:
            return fused_unsupported_reason(axes).empty() ? launch_fused(job, axes) : launch_queue(job, axes);
        case Choice::block_queue:
            return block_queue_unsupported_reason(axes).empty() ? launch_block_queue(job, axes)
                                                                : launch_queue(job, axes);
        default:
            return launch_queue(job, axes);
    }
}

}  // namespace

void add_auto(bench::Experiment& experiment) {
    bench::Variant variant = job_variant("auto", bench::Role::ours,
                                         "one of the queues, one list, fused rules or bit boards, depending on the job",
                                         launch_chosen, queue_unsupported_reason);
    variant.make = [make = variant.make](bench::Problem const& problem) {
        return choose(job_of(problem), queue_constants(machine)) == Choice::list ? make_list(problem) : make(problem);
    };
    experiment.variants.push_back(std::move(variant));
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
