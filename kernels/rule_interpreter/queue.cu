// Ours: a queue of enabled values in every warp (warp_queue.hpp), with as many warps a state, or states a warp, as fill
// the card.

#include "kernels/rule_interpreter/warp_queue.hpp"

#include "kernels/rule_interpreter/job_case.hpp"
#include "kernels/rule_interpreter/ours.hpp"
#include "kernels/rule_interpreter/queue_plan.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

// What a warp owns: part of one state, or one or several whole states. Without __launch_bounds__, which gives the same
// number of registers and slower loops (README.md, "Registers").
template <class Layout, class Rules>
__global__ void queue(__grid_constant__ Parameters const p) {
    unsigned const warp = block_rank() * warps_in_block() + warp_id();
    unsigned const first = warp / p.warps_a_state * p.states_a_warp;
    unsigned const left = first < p.states ? p.states - first : 0;
    unsigned const states = left < p.states_a_warp ? left : p.states_a_warp;
    WarpQueueTeam<State<Layout>> team(p, first, states, warp % p.warps_a_state, p.warps_a_state);
    run_program(team, p, Rules());
}

Launching launch_queue(Job const& job, bench::Axes const& axes) {
    auto const asked = [&](char const* axis) { return static_cast<unsigned>(axes.integer(axis)); };
    QueuePlan const plan = plan_queue(job, asked("warps_a_state"), asked("states_a_warp"), asked("block"));
    Launching launching;
    launching.name = "queue";
    launching.settings.warps_a_state = plan.warps_a_state;
    launching.settings.states_a_warp = plan.states_a_warp;
    launching.settings.direct_from = plan.direct_from;
    launching.settings.states_a_group = axis_or(axes, "states_a_group", 32);
    launching.shape.block.x = plan.block;
    launching.shape.grid.x =
        blocks_for((job.states + plan.states_a_warp - 1) / plan.states_a_warp * plan.warps_a_state, plan.block / 32);
    launching.shape.shared_bytes = sizeof(WarpQueues);
    launching.kernels = {with_program(job.workload, layout_from_string(axes.text("layout")),
                                      [&]<class L, class P>() -> Kernel { return queue<L, P>; })};
    return launching;
}

std::string queue_refuses(bench::Axes const& axes) {
    if (axes.integer("states_a_warp") > 1 && (axes.integer("warps_a_state") > 1 || axes.text("rules") == "sudoku"))
        return "a warp has several states only where it has them whole, and none ends on its own";
    return axes.integer("block") > most_queues * 32
               ? "blocks of the queue have up to " + std::to_string(most_queues * 32) + " threads"
               : std::string();
}

void add_queue(bench::Experiment& experiment);

void add_queue(bench::Experiment& experiment) {
    experiment.variants.push_back(job_variant(
        "queue", bench::Role::ours, "a queue of enabled values in every warp, warps a state as they fill the card",
        launch_queue, queue_refuses));
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
