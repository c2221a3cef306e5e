#pragma once
// Teams that work on one state: its threads take the values of a rule in turn, and a lane whose value is disabled waits
// for those that evaluate (Algorithms 1 and 2, section 3; Figure 3, top and middle).

#include "common/rule_interpreter/oscillation.hpp"
#include "common/rule_interpreter/program.hpp"
#include "harness/simt/warp.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

// Threads that form a team.
struct ThreadWidth {
    __device__ static unsigned rank() { return 0; }
    __device__ static unsigned size() { return 1; }
    __device__ static void barrier() {}
    __device__ static bool any(bool value) { return value; }
    __device__ static unsigned long long sum(unsigned long long value) { return value; }
};

struct WarpWidth {
    __device__ static unsigned rank() { return lane_id(); }
    __device__ static unsigned size() { return warp_size; }
    __device__ static void barrier() { __syncwarp(); }
    __device__ static bool any(bool value) { return __any_sync(full_warp, value) != 0; }
    __device__ static unsigned long long sum(unsigned long long value) { return warp_sum(value); }
};

struct BlockSums {
    SharedArray<unsigned long long, 32> warps;
};

struct BlockWidth {
    __device__ static unsigned rank() { return thread_rank(); }
    __device__ static unsigned size() { return threads_in_block(); }
    __device__ static void barrier() { __syncthreads(); }
    __device__ static bool any(bool value) { return __syncthreads_or(value) != 0; }
    __device__ static unsigned long long sum(unsigned long long value) {
        auto& sums = shared_memory<BlockSums>();
        value = WarpWidth::sum(value);
        if (lane_id() == 0)
            sums.warps[warp_id()] = value;
        __syncthreads();
        unsigned long long total = 0;
        for (unsigned warp = 0; warp < warps_in_block(); ++warp)
            total += sums.warps[warp];
        __syncthreads();
        return total;
    }
};

template <class Width, class S>
class Team {
public:
    // `present` false: the team has no state, but its lanes take part in warp operations.
    __device__ Team(Parameters const& p, S const& state, bool present = true)
        : p_(p), state_(state), present_(present) {}

    template <class Rule, bool fixed_point>
    __device__ void apply(unsigned rule, Activity& activity) {
        unsigned const range = Rule::range(p_);
        for (unsigned first = 0; first < range; first += Width::size()) {
            unsigned const i = first + Width::rank();
            bool const enabled = present_ && i < range && Rule::condition(state_, i);
            bool const changed = evaluate_enabled<Rule>(p_, enabled, state_, i);
            if constexpr (fixed_point) {
                activity.changed |= changed;
                if (enabled && p_.until == Until::activity)
                    activity.note_active(rule, i);
            }
        }
    }

    template <class Rule>
    __device__ void commit() {
        for (unsigned i = Width::rank(); present_ && i < Rule::range(p_); i += Width::size())
            commit_instance<Rule>(state_, i);
    }

    __device__ void barrier() { Width::barrier(); }

    __device__ void begin() {
        if (present_)
            note_state<Width>(p_, state_, 0);
    }

    __device__ bool end_pass(unsigned pass, Activity const& activity) {
        bool continues = false;
        bool changed = false;
        if (p_.until == Until::cycle) {
            unsigned const period = present_ ? note_state<Width>(p_, state_, pass) : 1;
            continues = period == 0;
            changed = period != 1;
        } else if (p_.until == Until::activity) {
            unsigned long long const signature = Width::sum(activity.signature);
            changed = continues = signature != signature_;
            signature_ = signature;
        } else {
            changed = continues = Width::any(activity.changed);
        }
        if (changed && Width::rank() == 0)
            p_.last_change[state_.number()] = pass;
        return continues;
    }

private:
    Parameters const& p_;
    S state_;
    bool present_;
    unsigned long long signature_ = 0;
};

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
