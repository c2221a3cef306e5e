// Variant `queue` (ours): a queue of enabled values in every warp (warp_queue.hpp). The number of warps per state, or
// of states per warp, is chosen to fill the GPU.

#include "kernels/rule_interpreter/queue_kernels.hpp"

#include "common/rule_interpreter/job_case.hpp"
#include "harness/simt/ceil_div.hpp"
#include "kernels/rule_interpreter/ours.hpp"
#include "kernels/rule_interpreter/pinned_product.hpp"
#include "kernels/rule_interpreter/queue_plan.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

namespace {

template <class Layout, class Rules>
Kernel queue_kernel() {
    if constexpr (std::is_same_v<Layout, LayoutA> && std::is_same_v<Rules, ProductProgram<2>>)
        return queue<Layout, Program<false, PinnedProduct>>;
    else
        return queue<Layout, Rules>;
}

}  // namespace

LaunchPlan launch_queue(Job const& job, bench::Axes const& axes) {
    auto const axis = [&](char const* name) { return static_cast<unsigned>(axes.integer(name)); };
    QueuePlan const plan =
        plan_queue(job, axis("warps_per_state"), axis("states_per_warp"), axis("block"), queue_constants(machine));
    LaunchPlan launch;
    launch.name = "queue";
    LayoutName const layout = layout_from_string(axes.text("layout"));
    launch.settings.warps_per_state = plan.warps_per_state;
    launch.settings.states_per_warp = plan.states_per_warp;
    launch.settings.bypass_threshold = plan.bypass_threshold;
    launch.settings.states_per_group = axis_or(axes, "states_per_group", 32);
    launch.shape.block.x = plan.block;
    launch.shape.grid.x =
        blocks_of_warps(simt::ceil_div(job.states, plan.states_per_warp) * plan.warps_per_state, plan.block / 32);
    launch.shape.shared_bytes = sizeof(WarpQueues);
    if (layout == LayoutName::b && axis("states_per_warp") == 0 && axis("warps_per_state") == 0) {
        launch.settings.warps_per_state = warps_per_32_states(job, queue_constants(machine));
        launch.shape.grid.x =
            blocks_of_warps(simt::ceil_div(job.states, warp_size) * launch.settings.warps_per_state, plan.block / 32);
        bool const scalar = job.workload.shape == Shape(1);
        launch.kernels = {scalar ? Kernel(queue_of_32_states<ProductProgram<1>>)
                                 : Kernel(queue_of_32_states<ProductProgram<2>>)};
        return launch;
    }
    launch.kernels = {with_program<true, true>(job.workload, layout,
                                               [&]<class L, class P>() -> Kernel { return queue_kernel<L, P>(); })};
    return launch;
}

std::string queue_unsupported_reason(bench::Axes const& axes) {
    if (axes.integer("states_per_warp") > 1 && (axes.integer("warps_per_state") > 1 || axes.text("rules") == "sudoku"))
        return "several states per warp need one warp per state and a fixed number of passes";
    return axes.integer("block") > max_queues * 32
               ? "blocks of the queue have at most " + std::to_string(max_queues * 32) + " threads"
               : std::string();
}

void add_queue(bench::Experiment& experiment) {
    experiment.variants.push_back(job_variant(
        "queue", bench::Role::ours, "a queue of enabled values in every warp, as many warps per state as fill the GPU",
        launch_queue, queue_unsupported_reason, true));
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
