#pragma once
// Algorithm 3 with Algorithm 4, as printed apart from the corrections below: in a group of warps, each warp has its own
// state. The enabled values of all of them are compacted through shared memory, so that the first threads of the group
// evaluate. Five barriers per iteration.
//
// Corrections to the pseudocode:
// - Algorithm 3, line 2: a state is `group index * states per group + warp index`; the printed formula holds only for
//   32 states of 32 threads.
// - Line 5: the loop has the same number of iterations for every lane, so that all lanes reach the barriers even if
//   the range is not a multiple of 32.
// - Line 8: Condition gets its state.
// - Algorithm 4, line 7: the first warp reads shared[lane], not shared[warp index], and only one word per warp.
// - Line 13: the total is the last warp's word, not always word 31.
// - 16-bit state indices count within the group; otherwise at most 65 536 states are addressable. Warps past the last
//   state idle.
//
// What diverges: the condition. In an evaluation, one warp of the group can have idle lanes, and the warps after it
// wait at the barrier. Bytes in shared memory: a tuple of 4 per enabled value, stored and loaded, and a word per warp
// for the sums. Global accesses are those of the rule; the lane that evaluates a value loads what it needs again.
// Operations per value: its condition, and a scan of five shuffles; the first warp of the group has a second scan.
//
// Preconditions: a warp per state, at most 32 in a block (section 5), and the same range of at most 2^16 in all states.

#include "harness/simt/warp.hpp"
#include "kernels/rule_interpreter/group_team.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

struct Algorithm3Memory {
    SharedArray<unsigned, 1024> words;  // words of the prefix sum, then tuples of value and state index
};

// Algorithm 4. `offset`: number of enabled threads up to and including this one; `total`: number in the group.
__device__ inline void group_prefix_sum(Algorithm3Memory& shared, unsigned initial, unsigned& offset, unsigned& total) {
    offset = inclusive_sum(initial);
    if (lane_id() + 1 == warp_size)
        shared.words[warp_id()] = offset;
    __syncthreads();
    if (warp_id() == 0) {
        bool const is_warp = lane_id() < warps_in_block();
        unsigned const own = is_warp ? static_cast<unsigned>(shared.words[lane_id()]) : 0;
        unsigned const sum = inclusive_sum(own);
        if (is_warp)
            shared.words[lane_id()] = sum;
    }
    __syncthreads();
    if (warp_id() > 0)
        offset += shared.words[warp_id() - 1];
    total = shared.words[warps_in_block() - 1];
    __syncthreads();
}

template <class Layout>
class Algorithm3Team : public GroupTeam<Layout> {
public:
    __device__ explicit Algorithm3Team(Parameters const& p)
        : GroupTeam<Layout>(p), shared_(shared_memory<Algorithm3Memory>()) {}

    template <class Rule, bool fixed_point>
    __device__ void apply(unsigned rule, Activity& activity) {
        Parameters const& p = this->p_;
        unsigned const range = Rule::range(p);
        for (unsigned first = 0; first < range; first += warp_size) {
            unsigned current = first + lane_id();
            bool const enabled = this->template is_enabled<Rule, fixed_point>(rule, current, range, activity);
            unsigned offset = 0;
            unsigned total = 0;
            group_prefix_sum(shared_, enabled ? 1 : 0, offset, total);
            if (enabled)
                shared_.words[offset - 1] = current << 16 | warp_id();
            __syncthreads();
            bool const active = thread_rank() < total;
            unsigned const tuple = active ? static_cast<unsigned>(shared_.words[thread_rank()]) : 0;
            this->template evaluate<Rule, fixed_point>(active, tuple & 0xFFFF, tuple >> 16);
            __syncthreads();
        }
    }

private:
    Algorithm3Memory& shared_;
};

template <class Layout, class Rules>
__global__ void __launch_bounds__(1024) algorithm3(__grid_constant__ Parameters const p) {
    Algorithm3Team<Layout> team(p);
    run_program(team, p, Rules());
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
