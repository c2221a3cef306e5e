// Variant `block_queue` (ours), between Algorithm 3 and the warp queue: one block for several states whose enabled
// values share one queue, with two barriers per 128 values of a warp instead of Algorithm 3's five per 32. A warp
// appends its values with one atomic; a remainder of less than a full warp stays for the next iteration.
//
// What diverges: the condition. In the last iteration of a rule, one warp of the block can have idle lanes. Bytes in
// shared memory per enabled value: 4, stored and loaded, and again for each iteration that it stays. Operations: a
// ballot per 32 values, and an atomic on shared memory per 128. Global accesses are as in algorithm3.hpp.
//
// Preconditions: a warp per state, and at most 16 of them in a block. All states have the same range, of at most 2^16:
// an entry has the value in its upper 16 bits and the state's place in the block in the lower ones.

#include "kernels/rule_interpreter/group_team.hpp"

#include "common/rule_interpreter/job_case.hpp"
#include "harness/simt/warp.hpp"
#include "kernels/rule_interpreter/ours.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

inline constexpr unsigned block_values_per_lane = 4;  // per iteration
inline constexpr unsigned max_block_warps = 16;       // 512 threads
inline constexpr unsigned block_queue_size = block_values_per_lane * max_block_warps * warp_size + warp_size;

// Two queues alternate: while one is evaluated, its remainder starts the other.
struct BlockQueueMemory {
    SharedArray<unsigned, 2 * block_queue_size> entries;
    SharedArray<unsigned, 2> count;
};

template <class Layout>
class BlockQueueTeam : public GroupTeam<Layout> {
public:
    __device__ explicit BlockQueueTeam(Parameters const& p)
        : GroupTeam<Layout>(p), shared_(shared_memory<BlockQueueMemory>()) {}

    template <class Rule, bool fixed_point>
    __device__ void apply(unsigned rule, Activity& activity) {
        unsigned const range = Rule::range(this->p_);
        unsigned turn = 0;
        if (thread_rank() == 0)
            shared_.count[0] = 0;
        __syncthreads();
        for (unsigned first = 0; first < range; first += block_values_per_lane * warp_size, turn ^= 1) {
            append<Rule, fixed_point>(rule, first, range, turn, activity);
            __syncthreads();
            unsigned const count = shared_.count[turn];
            bool const last = first + block_values_per_lane * warp_size >= range;
            unsigned const stay = last ? 0 : count % warp_size;
            if (warp_id() == 0)
                keep(turn, count - stay, stay);
            unsigned const evaluated = count - stay;
            for (unsigned index = thread_rank(); index - lane_id() < evaluated; index += threads_in_block()) {
                bool const active = index < evaluated;
                unsigned const entry =
                    active ? static_cast<unsigned>(shared_.entries[turn * block_queue_size + index]) : 0;
                this->template evaluate<Rule, fixed_point>(active, entry & 0xFFFF, entry >> 16);
            }
            __syncthreads();
        }
    }

private:
    // Appends the enabled ones of a warp's next values to the queue.
    template <class Rule, bool fixed_point>
    __device__ void append(unsigned rule, unsigned first, unsigned range, unsigned turn, Activity& activity) {
        unsigned lanes[block_values_per_lane];
        unsigned number = 0;
#pragma unroll
        for (unsigned k = 0; k < block_values_per_lane; ++k) {
            unsigned const i = first + k * warp_size + lane_id();
            lanes[k] =
                __ballot_sync(full_warp, (this->template is_enabled<Rule, fixed_point>(rule, i, range, activity)));
            number += static_cast<unsigned>(__popc(lanes[k]));
        }
        unsigned begin = 0;
        if (lane_id() == 0 && number != 0)
            begin = atomicAdd(&shared_.count[turn], number);
        begin = __shfl_sync(full_warp, begin, 0) + turn * block_queue_size;
#pragma unroll
        for (unsigned k = 0; k < block_values_per_lane; ++k) {
            unsigned const i = first + k * warp_size + lane_id();
            if ((lanes[k] >> lane_id() & 1) != 0)
                shared_.entries[begin + rank_in(lanes[k])] = i << 16 | warp_id();
            begin += static_cast<unsigned>(__popc(lanes[k]));
        }
    }

    // Moves the remainder, `stay` entries from `from` on, to the start of the other queue.
    __device__ void keep(unsigned turn, unsigned from, unsigned stay) {
        unsigned const other = turn ^ 1;
        if (lane_id() < stay) {
            shared_.entries[other * block_queue_size + lane_id()] =
                static_cast<unsigned>(shared_.entries[turn * block_queue_size + from + lane_id()]);
        }
        if (lane_id() == 0)
            shared_.count[other] = stay;
    }

    BlockQueueMemory& shared_;
};

template <class Layout, class Rules>
__global__ void __launch_bounds__(max_block_warps * 32) block_queue(__grid_constant__ Parameters const p) {
    BlockQueueTeam<Layout> team(p);
    run_program(team, p, Rules());
}

LaunchPlan launch_block_queue(Job const& job, bench::Axes const& axes) {
    return group_plan("block_queue", job, axes, 8, sizeof(BlockQueueMemory),
                      [&]<class L, class P>() -> Kernel { return block_queue<L, P>; });
}

std::string block_queue_unsupported_reason(bench::Axes const& axes) {
    return axes.integer("states_per_group") > max_block_warps ? "a group has at most 16 states" : std::string();
}

void add_block_queue(bench::Experiment& experiment) {
    experiment.variants.push_back(job_variant(
        "block_queue", bench::Role::ours, "Algorithm 3's groups with one queue, two barriers per 128 values of a warp",
        launch_block_queue, block_queue_unsupported_reason));
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
