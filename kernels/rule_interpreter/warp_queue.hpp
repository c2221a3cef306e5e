#pragma once
// Compaction by one warp for itself: a warp looks at 128 values at a time, ranks the enabled ones by ballots, puts their
// indices into a queue of its own in shared memory, and evaluates as soon as 32 are there, with every lane at work. No
// barrier of the block. What a warp owns: one state, a share of a state (`warps_a_state`), or several states
// (`states_a_warp`), whose values share the queue.
//
// The last round of a rule is all that can leave lanes idle. Values on their way from memory are waited for only after
// the round before has been evaluated. Where so many lanes of a warp are enabled that moving them would cost more than
// the idle ones, they are evaluated where they are (`direct_from`).

#include "kernels/rule_interpreter/team.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

inline constexpr unsigned values_a_look = 4;                     // of a lane
inline constexpr unsigned look_size = values_a_look * warp_size;  // of a warp
inline constexpr unsigned queue_size = look_size + warp_size;     // fewer than 32 stay, 128 may come
inline constexpr unsigned most_queues = 8;                        // warps a block
inline constexpr unsigned entry_bits = 16;                        // of the index in a queue's entry; the rest: which state

struct WarpQueues {
    SharedArray<unsigned, most_queues * queue_size> entries;
};

// Where a warp is in its values: value `first` of its state number `state` (from 0).
struct QueueCursor {
    unsigned state;
    unsigned first;
};

// What a lane has seen of a look: a bit a value.
template <class Rule, class S>
struct Look {
    static constexpr bool early = requires(S const& s) { Rule::holds(Rule::look(s, 0u)); };
    unsigned words[values_a_look];
};

template <class S>
class WarpQueueTeam {
public:
    // `state_of(k)` is the warp's k-th state; it has `states` of them, and part `part` of `parts` of each.
    __device__ WarpQueueTeam(Parameters const& p, unsigned first_state, unsigned states, unsigned part, unsigned parts)
        : p_(p),
          queues_(shared_memory<WarpQueues>()),
          first_state_(first_state),
          states_(states),
          part_(part),
          parts_(parts) {}

    template <class Rule, bool fixed_point>
    __device__ void apply(unsigned rule, Activity& activity) {
        unsigned const range = Rule::range(p_);
        unsigned const queue = warp_id() * queue_size;
        unsigned count = 0;
        QueueCursor at = {0, part_ * look_size};
        if (states_ == 0 || at.first >= range)
            return;
        unsigned words[values_a_look];
        look<Rule>(at, range, words);
        for (bool more = true; more;) {
            // Bit k: whether this lane's k-th value is enabled; bit k of `direct`: whether it stays with its lane.
            unsigned enabled = 0;
            unsigned direct = 0;
#pragma unroll
            for (unsigned k = 0; k < values_a_look; ++k) {
                bool const is = holds<Rule>(at, range, k, words[k]);
                unsigned const lanes = __ballot_sync(full_warp, is);
                unsigned const number = static_cast<unsigned>(__popc(lanes));
                enabled |= (is ? 1u : 0u) << k;
                if (number >= p_.direct_from) {
                    direct |= 1u << k;
                } else {
                    unsigned const rank = static_cast<unsigned>(__popc(lanes & ((1u << lane_id()) - 1)));
                    if (is)
                        queues_.entries[queue + count + rank] = at.state << entry_bits | index(at, k);
                    count += number;
                }
                if constexpr (fixed_point) {
                    if (is && p_.ending == Ending::activity)
                        activity.note_active(rule, index(at, k));
                }
            }
            QueueCursor const here = at;
            more = advance(at, range);
            if (more)
                look<Rule>(at, range, words);
            __syncwarp();
            while (direct != 0 || count >= warp_size) {
                unsigned entry = 0;
                bool is = true;
                if (direct != 0) {
                    unsigned const k = static_cast<unsigned>(__ffs(static_cast<int>(direct))) - 1;
                    direct &= direct - 1;
                    entry = here.state << entry_bits | index(here, k);
                    is = (enabled >> k & 1) != 0;
                } else {
                    count -= warp_size;
                    entry = queues_.entries[queue + count + lane_id()];
                }
                activity.changed |= evaluate<Rule>(is, entry);
            }
            __syncwarp();
        }
        if (count != 0) {
            bool const is = lane_id() < count;
            unsigned const entry = is ? static_cast<unsigned>(queues_.entries[queue + lane_id()]) : 0;
            activity.changed |= evaluate<Rule>(is, entry);
            __syncwarp();
        }
    }

    template <class Rule>
    __device__ void commit() {
        for (unsigned k = 0; k < states_; ++k) {
            S state(p_, first_state_ + k);
            for (unsigned i = lane_id(); part_ == 0 && i < Rule::range(p_); i += warp_size)
                commit_instance<Rule>(state, i);
        }
    }

    // Warps that share a state are warps of one block.
    __device__ void barrier() {
        if (parts_ > 1)
            __syncthreads();
        else
            __syncwarp();
    }

    // To a fixed point a warp has one state, whole.
    __device__ bool settle(unsigned pass, Activity const& activity) {
        bool goes_on = false;
        if (p_.ending == Ending::activity) {
            unsigned long long const signature = WarpWidth::sum(activity.signature);
            goes_on = signature != signature_;
            signature_ = signature;
        } else {
            goes_on = WarpWidth::any(activity.changed);
        }
        if (states_ == 0)
            return false;
        if (goes_on && lane_id() == 0)
            p_.last_change[first_state_] = pass;
        return goes_on;
    }

private:
    __device__ static unsigned index(QueueCursor const& at, unsigned k) {
        return at.first + k * warp_size + lane_id();
    }

    // Moves to the next values; false where there are none.
    __device__ bool advance(QueueCursor& at, unsigned range) const {
        at.first += parts_ * look_size;
        if (at.first < range)
            return true;
        at.first = part_ * look_size;
        return ++at.state < states_;
    }

    // The words that conditions need, or the conditions themselves for a rule that does not say which they are.
    template <class Rule>
    __device__ void look(QueueCursor const& at, unsigned range, unsigned (&words)[values_a_look]) const {
        S const state(p_, first_state_ + at.state);
#pragma unroll
        for (unsigned k = 0; k < values_a_look; ++k) {
            unsigned const i = index(at, k);
            if constexpr (Look<Rule, S>::early)
                words[k] = i < range ? Rule::look(state, i) : 0;
            else
                words[k] = i < range && Rule::condition(state, i) ? 1 : 0;
        }
    }

    template <class Rule>
    __device__ static bool holds(QueueCursor const& at, unsigned range, unsigned k, unsigned word) {
        if constexpr (Look<Rule, S>::early)
            return Rule::holds(word) && index(at, k) < range;
        else
            return word != 0;
    }

    template <class Rule>
    __device__ bool evaluate(bool enabled, unsigned entry) const {
        S state(p_, first_state_ + (entry >> entry_bits));
        return evaluate_enabled<Rule>(p_, enabled, state, entry & ((1u << entry_bits) - 1));
    }

    Parameters const& p_;
    WarpQueues& queues_;
    unsigned first_state_;
    unsigned states_;
    unsigned part_;
    unsigned parts_;
    unsigned long long signature_ = 0;
};

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
