// Variant `auto`: the variant that the plan expects to be the fastest for the job (queue_plan.hpp): one of ours, or
// Algorithm 1 where memory is the bound. A variant that does not support the layout or the geometry gives way to the
// warp queue.

#include "common/rule_interpreter/algorithm1_case.hpp"
#include "kernels/rule_interpreter/ours.hpp"
#include "kernels/rule_interpreter/queue_plan.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

namespace {

LaunchPlan launch_chosen(Job const& job, bench::Axes const& axes) {
    switch (choose(job, layout_from_string(axes.text("layout")), queue_constants(machine))) {
        case Choice::bit_board:
            return bit_board_unsupported_reason(axes).empty() ? launch_bit_board(job, axes) : launch_cached(job, axes);
        case Choice::fused:
            return fused_unsupported_reason(axes).empty() ? launch_fused(job, axes) : launch_queue(job, axes);
        case Choice::refill_queue:
            return refill_queue_unsupported_reason(axes).empty() ? launch_refill_queue(job, axes)
                                                                 : launch_queue(job, axes);
        case Choice::block_queue:
            return block_queue_unsupported_reason(axes).empty() ? launch_block_queue(job, axes)
                                                                : launch_queue(job, axes);
        default:
            return launch_queue(job, axes);
    }
}

}  // namespace

void add_auto(bench::Experiment& experiment) {
    bench::Variant variant =
        job_variant("auto", bench::Role::ours,
                    "a kind of queue, a list, fused rules, Algorithm 1 or bit boards, depending on the job",
                    launch_chosen, queue_unsupported_reason);
    variant.make = [make = variant.make](bench::Problem const& problem) {
        LayoutName const layout = layout_from_string(problem.axes.text("layout"));
        switch (choose(job_of(problem), layout, queue_constants(machine))) {
            case Choice::list:
                return make_list(problem);
            case Choice::flat_queue:
                return flat_queue_unsupported_reason(problem.axes).empty() ? make_flat_queue(problem) : make(problem);
            case Choice::search:
                return make_search(problem);
            case Choice::algorithm1:
                return algorithm1_unsupported_reason(problem.axes).empty() ? make_algorithm1(problem) : make(problem);
            default:
                return make(problem);
        }
    };
    variant.unsupported_reason = [reason = variant.unsupported_reason](bench::Axes const& axes) {
        return axes.text("rules") == "search" ? std::string() : reason(axes);
    };
    experiment.variants.push_back(std::move(variant));
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
