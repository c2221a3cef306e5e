#pragma once
// How the warp queue shares states out among warps, by the size of the job. Host code, the same on every machine.

#include "common/rule_interpreter/workload.hpp"

namespace lockstep::rule_interpreter {

struct QueuePlan {
    unsigned warps_per_state = 1;    // a power of two
    unsigned states_per_warp = 1;    // more than 1 only with one warp a state
    unsigned block = 128;            // threads
    unsigned bypass_threshold = 32;  // enabled lanes, on average, from which on a look is evaluated without the queue
};

// FP32 slots of one evaluation.
double slots_per_evaluation(Workload const& workload);

// 0: chosen.
QueuePlan plan_queue(Job const& job, unsigned warps_per_state, unsigned states_per_warp, unsigned block);

// Whether evaluations are so long that a list of all enabled values, which leaves no lane idle, is worth its cost.
bool list_pays(Job const& job);

}  // namespace lockstep::rule_interpreter
