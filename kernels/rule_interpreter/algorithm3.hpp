#pragma once
// Algorithm 3 with Algorithm 4, as printed: a group of warps, each with a state of its own; the enabled values of all
// of them are compacted through shared memory, so that the first threads of the group evaluate. Five barriers an
// iteration.
//
// Put right: a state is `group index * states a group + warp index` (line 2 of Algorithm 3 says so only for 32 states
// of 32 threads); the loop has as many iterations for every lane, so that none misses a barrier where the range is no
// multiple of 32 (line 5); Condition gets its state (line 8); the first warp of Algorithm 4 reads shared[lane], not
// shared[warp index] (line 7), and only as many words as there are warps; the total is the last warp's word (line 13
// reads word 31); 16-bit state indices count within the group, else 65 536 states would be all; states past the last
// are nobody's.

#include "harness/simt/warp.hpp"
#include "kernels/rule_interpreter/group_team.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

struct Algorithm3Memory {
    SharedArray<unsigned, 1024> words;  // of the prefix sum, then tuples of value and state index
};

// Algorithm 4. `offset`: how many threads up to and with this one are enabled; `total`: how many in the group.
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
