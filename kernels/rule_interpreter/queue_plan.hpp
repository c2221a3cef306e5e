#pragma once
// The variant for a job, and the distribution of states over warps for the warp queue. Host code, equal on all
// machines.

#include <functional>
#include <vector>

#include "common/rule_interpreter/workload.hpp"
#include "kernels/rule_interpreter/queue_constants.hpp"

namespace lockstep::rule_interpreter {

struct QueuePlan {
    unsigned warps_per_state = 1;    // a power of two
    unsigned states_per_warp = 1;    // more than 1 only with one warp per state
    unsigned block = 128;            // threads
    unsigned bypass_threshold = 32;  // enabled lanes per warp, on average, from which a tile bypasses the queue
};

// FP32 slots of one evaluation.
double slots_per_evaluation(Workload const& workload);

// Plans a job. Arguments that are 0 are chosen automatically.
QueuePlan plan_queue(Job const& job, unsigned warps_per_state, unsigned states_per_warp, unsigned block,
                     QueueConstants const& constants = {});

// Warps that share 32 states whose values are interleaved (layout B).
unsigned warps_per_32_states(Job const& job, QueueConstants const& constants = {});

// Values of a warp of `flat_queue`, from 256 to 2048.
unsigned values_per_flat_warp(Job const& job, QueueConstants const& constants = {});

// Warps that share a state in `refill_queue`.
unsigned refill_warps_per_state(Job const& job, QueueConstants const& constants = {});

// The variants that `auto` chooses from.
enum class Choice { queue, block_queue, flat_queue, refill_queue, list, fused, bit_board, search, algorithm1 };

// Returns the variant that is expected to be the fastest for the job.
Choice choose(Job const& job, LayoutName layout, QueueConstants const& constants = {});

// That variant, and up to four others that may be faster where its costs are not as expected. A case may not support
// those.
std::vector<Choice> choices(Job const& job, LayoutName layout, QueueConstants const& constants = {});

// The supported ones of `wanted`, in their order, each once. The queue, which supports every job, takes the place of
// the first one if that is not supported.
std::vector<Choice> supported_choices(std::vector<Choice> const& wanted,
                                      std::function<bool(Choice)> const& is_supported);

}  // namespace lockstep::rule_interpreter
