// Variant `auto`: the variant that the plan expects to be the fastest for the job (queue_plan.hpp): one of ours, or
// Algorithm 1 where memory is the bound. A variant that does not support the layout or the geometry gives way to the
// warp queue. A job that is repeated on a GPU tries the others that may win, and keeps the fastest.

#include <vector>

#include "common/rule_interpreter/algorithm1_case.hpp"
#include "harness/bench/fastest_case.hpp"
#include "kernels/rule_interpreter/ours.hpp"
#include "kernels/rule_interpreter/queue_plan.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

namespace {

// Variants that support every layout and geometry that their rules allow have no reason.
std::string reason_against(Choice choice, bench::Axes const& axes) {
    switch (choice) {
        case Choice::bit_board:
            return bit_board_unsupported_reason(axes);
        case Choice::fused:
            return fused_unsupported_reason(axes);
        case Choice::refill_queue:
            return refill_queue_unsupported_reason(axes);
        case Choice::block_queue:
            return block_queue_unsupported_reason(axes);
        case Choice::flat_queue:
            return flat_queue_unsupported_reason(axes);
        case Choice::algorithm1:
            return algorithm1_unsupported_reason(axes);
        default:
            return "";
    }
}

LaunchPlan launch_choice(Choice choice, Job const& job, bench::Axes const& axes) {
    switch (choice) {
        case Choice::bit_board:
            return launch_bit_board(job, axes);
        case Choice::fused:
            return launch_fused(job, axes);
        case Choice::refill_queue:
            return launch_refill_queue(job, axes);
        case Choice::block_queue:
            return launch_block_queue(job, axes);
        default:
            return launch_queue(job, axes);
    }
}

bool is_compiled_for(Choice choice, LayoutName layout) {
    return layout != LayoutName::c_divided || choice == Choice::queue || choice == Choice::algorithm1 ||
           choice == Choice::search;
}

// Sudoku without bit boards is cached.
bool is_supported(Choice choice, bench::Axes const& axes) {
    if (!is_compiled_for(choice, layout_from_string(axes.text("layout"))))
        return false;
    return choice == Choice::bit_board || reason_against(choice, axes).empty();
}

std::unique_ptr<bench::Case> make_choice(Choice choice, bench::Problem const& problem) {
    Job const job = job_of(problem);
    LayoutName const layout = layout_from_string(problem.axes.text("layout"));
    if (choice == Choice::bit_board && !reason_against(choice, problem.axes).empty())
        return std::make_unique<JobCase>(job, layout, launch_cached(job, problem.axes));
    switch (choice) {
        case Choice::list:
            return make_list(problem);
        case Choice::flat_queue:
            return make_flat_queue(problem);
        case Choice::search:
            return make_search(problem);
        case Choice::algorithm1:
            return make_algorithm1(problem);
        default:
            return std::make_unique<JobCase>(job, layout, launch_choice(choice, job, problem.axes));
    }
}

std::unique_ptr<bench::Case> make_auto(bench::Problem const& problem) {
    Job const job = job_of(problem);
    LayoutName const layout = layout_from_string(problem.axes.text("layout"));
    std::vector<Choice> const wanted = choices(job, layout, queue_constants(machine));
    std::vector<bench::CaseMaker> candidates;
    for (Choice const choice : supported_choices(wanted, [&](Choice one) { return is_supported(one, problem.axes); }))
        candidates.push_back([&problem, choice] { return make_choice(choice, problem); });
    return bench::fastest_case(problem, machine, candidates);
}

}  // namespace

void add_auto(bench::Experiment& experiment) {
    bench::Variant variant = job_variant("auto", bench::Role::ours,
                                         "a kind of queue, a list, fused rules, Algorithm 1 or bit boards, depending "
                                         "on the job; if the job is repeated, the fastest of those tried",
                                         launch_queue, queue_unsupported_reason, true);
    variant.make = make_auto;
    variant.unsupported_reason = [reason = variant.unsupported_reason](bench::Axes const& axes) {
        return axes.text("rules") == "search" ? std::string() : reason(axes);
    };
    experiment.variants.push_back(std::move(variant));
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
