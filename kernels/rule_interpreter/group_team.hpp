#pragma once
// Teams that work on several states: in a block, each warp tests the values of one state, and all threads evaluate the
// values that the group found enabled (section 4, Figure 3 bottom).

#include "common/rule_interpreter/team.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

template <class Layout>
class GroupTeam {
public:
    __device__ explicit GroupTeam(Parameters const& p)
        : p_(p),
          first_state_(block_rank() * p.states_per_group),
          source_state_(first_state_ + warp_id()),
          done_(source_state_ >= p.states) {}

    template <class Rule>
    __device__ void commit() {
        State<Layout> source(p_, source_state_);
        for (unsigned i = lane_id(); !done_ && i < Rule::range(p_); i += warp_size)
            commit_instance<Rule>(source, i);
    }

    __device__ void barrier() { __syncthreads(); }

    __device__ void begin() {
        if (!done_)
            note_state<WarpWidth>(p_, State<Layout>(p_, source_state_), 0);
        __syncthreads();  // other warps store to the state
    }

    // Other warps evaluate the values of a warp's state, so the warp reads from memory whether its state changed.
    __device__ bool end_pass(unsigned pass, Activity const& activity) {
        if (p_.until == Until::activity) {
            unsigned long long const signature = WarpWidth::sum(activity.signature);
            if (!done_ && signature != signature_ && lane_id() == 0)
                p_.last_change[source_state_] = pass;
            done_ = done_ || signature == signature_;
            signature_ = signature;
        } else if (p_.until == Until::cycle) {
            unsigned const period = done_ ? 1 : note_state<WarpWidth>(p_, State<Layout>(p_, source_state_), pass);
            if (period != 1 && lane_id() == 0)
                p_.last_change[source_state_] = pass;
            done_ = period != 0;
        } else {
            done_ = done_ || load_acquire(&p_.last_change[source_state_]) != pass;
        }
        pass_ = pass + 1;
        return __syncthreads_or(!done_) != 0;
    }

protected:
    // Returns true if the calling lane's value of its warp's state is enabled.
    template <class Rule, bool fixed_point>
    __device__ bool is_enabled(unsigned rule, unsigned i, unsigned range, Activity& activity) const {
        State<Layout> const source(p_, source_state_);
        bool const enabled = !done_ && i < range && Rule::condition(source, i);
        if constexpr (fixed_point) {
            if (enabled && p_.until == Until::activity)
                activity.note_active(rule, i);
        }
        return enabled;
    }

    // Evaluates value i of state number `member` of the group on the lanes that are active.
    template <class Rule, bool fixed_point>
    __device__ void evaluate(bool active, unsigned member, unsigned i) const {
        State<Layout> state(p_, first_state_ + member);
        bool const changed = evaluate_enabled<Rule>(p_, active, state, i);
        if constexpr (fixed_point) {
            if (changed && p_.until == Until::change)
                atomicMax(&p_.last_change[state.number()], pass_);
        }
    }

    Parameters const& p_;
    unsigned first_state_;
    unsigned source_state_;  // the state that this warp tests
    bool done_;
    unsigned pass_ = 1;
    unsigned long long signature_ = 0;
};

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
