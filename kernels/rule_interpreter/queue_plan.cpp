#include "kernels/rule_interpreter/queue_plan.hpp"

#include <algorithm>
#include <bit>

namespace lockstep::rule_interpreter {

namespace {

constexpr unsigned values_a_look = 128;       // of a warp
constexpr std::uint64_t enough_warps = 8192;  // about what an H200 has room for at once

}  // namespace

QueuePlan plan_queue(Job const& job, unsigned warps_a_state, unsigned block) {
    Workload const& w = job.workload;
    QueuePlan plan;
    plan.block = block == 0 ? 128 : block;
    bool const whole_states = w.base == RuleBase::sudoku;
    unsigned const most = whole_states ? 1 : std::bit_floor(plan.block / 32);
    if (warps_a_state != 0) {
        plan.warps_a_state = std::min(warps_a_state, most);
    } else {
        // More warps a state as long as there are too few, and each still has several looks.
        while (plan.warps_a_state < most && job.states * plan.warps_a_state < enough_warps &&
               w.range >= plan.warps_a_state * 2 * values_a_look) {
            plan.warps_a_state *= 2;
        }
    }
    // An idle lane of a short evaluation costs less than its way through the queue.
    bool const heavy = w.load * w.shape * w.shape * w.shape >= 500;
    plan.direct_from = heavy ? 32 : 30;
    return plan;
}

}  // namespace lockstep::rule_interpreter
