#pragma once
// Compaction by one warp for itself: a warp looks at 128 values at a time, ranks the enabled ones by ballots, puts
// their indices into a queue of its own in shared memory, and evaluates as soon as 32 are there, with every lane at
// work. No barrier of the block. What a warp owns: one state, a share of a state (`warps_a_state`), or several states
// (`states_a_warp`), whose values share the queue.
//
// The last round of a rule is all that can leave lanes idle. Values on their way from memory are waited for only after
// the round before has been evaluated. Where so many lanes of a warp are enabled that moving them would cost more than
// the idle ones, they are evaluated where they are (`direct_from`).

#include "kernels/rule_interpreter/team.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

inline constexpr unsigned values_a_look = 4;                      // of a lane
inline constexpr unsigned look_size = values_a_look * warp_size;  // of a warp
inline constexpr unsigned queue_size = look_size + warp_size;     // fewer than 32 stay, 128 may come
inline constexpr unsigned most_queues = 8;                        // warps a block
inline constexpr unsigned entry_bits = 16;  // of the index in a queue's entry; the rest: which state

// An entry has two words: which instance, and what its condition saw.
struct WarpQueues {
    SharedArray<unsigned, most_queues * queue_size> instances;
    SharedArray<unsigned, most_queues * queue_size> looked;
};

// Where a warp is in its values: value `first` of its state number `state` (from 0).
struct QueueCursor {
    unsigned state;
    int first;
};

// Whether a rule says what word its condition needs.
template <class Rule, class S>
inline constexpr bool looks_first = requires(S const& s) {
    Rule::holds(Rule::look(s, 0));
};

// Whether a consequence is short enough to stand several times in a kernel.
template <class Rule>
inline constexpr bool short_rule = requires {
    requires Rule::is_short;
};

template <class S>
class WarpQueueTeam {
public:
    // States from `first_state` on, `states` of them; and of each every `parts`-th look, from `part` on.
    __device__ WarpQueueTeam(Parameters const& p, unsigned first_state, unsigned states, unsigned part, unsigned parts)
        : p_(p),
          queues_(shared_memory<WarpQueues>()),
          first_state_(first_state),
          states_(states),
          part_(part),
          parts_(parts) {}

    template <class Rule, bool fixed_point>
    __device__ void apply(unsigned rule, Activity& activity) {
        int const range = static_cast<int>(Rule::range(p_));
        QueueCursor at = {0, static_cast<int>(part_ * look_size)};
        if (states_ == 0 || at.first >= range)
            return;
        unsigned const queue = warp_id() * queue_size;
        unsigned const below = (1u << lane_id()) - 1;
        unsigned count = 0;
        unsigned words[values_a_look];
        look<Rule>(at, range, words);
        for (bool more = true; more;) {
            unsigned looked[values_a_look];
            unsigned direct = 0;  // bit k: the lanes' k-th values stay where they are
#pragma unroll
            for (unsigned k = 0; k < values_a_look; ++k) {
                looked[k] = words[k];
                bool const is = holds<Rule>(looked[k]);
                unsigned const lanes = __ballot_sync(full_warp, is);
                unsigned const number = static_cast<unsigned>(__popc(lanes));
                if constexpr (fixed_point) {
                    if (is && p_.ending == Ending::activity)
                        activity.note_active(rule, index(at, k));
                }
                bool const stays = number >= p_.direct_from;
                unsigned const place = queue + count + static_cast<unsigned>(__popc(lanes & below));
                unsigned const entry = at.state << entry_bits | index(at, k);
                if (is && !stays) {
                    queues_.instances[place] = entry;
                    if constexpr (looks_first<Rule, S>)
                        queues_.looked[place] = looked[k];
                }
                direct |= (stays ? 1u : 0u) << k;
                count += stays ? 0 : number;
            }
            QueueCursor const here = at;
            more = advance(at, range);
            if (more)
                look<Rule>(at, range, words);
            if (direct != 0)
                evaluate_in_place<Rule>(here, direct, looked, activity);
            __syncwarp();
            // What is less than a warp stays, unless it is the last.
            for (unsigned const least = more ? warp_size : 1; count >= least;) {
                unsigned const from = count > warp_size ? count - warp_size : 0;
                bool const is = lane_id() < count;
                unsigned const place = queue + from + lane_id();
                unsigned const entry = is ? static_cast<unsigned>(queues_.instances[place]) : 0;
                unsigned seen = 0;
                if constexpr (looks_first<Rule, S>)
                    seen = is ? static_cast<unsigned>(queues_.looked[place]) : 0;
                activity.changed |= evaluate<Rule>(is, entry, seen);
                count = from;
            }
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
        return static_cast<unsigned>(at.first) + k * warp_size + lane_id();
    }

    // Moves to the next values; false where there are none.
    __device__ bool advance(QueueCursor& at, int range) const {
        at.first += static_cast<int>(parts_ * look_size);
        if (at.first < range)
            return true;
        at.first = static_cast<int>(part_ * look_size);
        return ++at.state < states_;
    }

    // The words that conditions need, or the conditions themselves for a rule that does not say which they are.
    template <class Rule>
    __device__ void look(QueueCursor const& at, int range, unsigned (&words)[values_a_look]) const {
        S const state(p_, first_state_ + at.state);
        int const first = at.first + static_cast<int>(lane_id());
#pragma unroll
        for (int k = 0; k < static_cast<int>(values_a_look); ++k) {
            int const i = first + k * static_cast<int>(warp_size);
            if constexpr (looks_first<Rule, S>)
                words[k] = i < range ? Rule::look(state, i) : Rule::nothing;
            else
                words[k] = i < range && Rule::condition(state, static_cast<unsigned>(i)) ? 1 : 0;
        }
    }

    template <class Rule>
    __device__ static bool holds(unsigned word) {
        if constexpr (looks_first<Rule, S>)
            return Rule::holds(word);
        else
            return word != 0;
    }

    template <class Rule>
    __device__ void evaluate_in_place(QueueCursor const& here, unsigned direct, unsigned const (&looked)[values_a_look],
                                      Activity& activity) const {
#pragma unroll(short_rule <Rule> ? values_a_look : 1)
        for (unsigned k = 0; k < values_a_look; ++k) {
            if ((direct >> k & 1) == 0)
                continue;
            // Selected, not indexed, so that words stay in registers where the loop is one.
            unsigned const word = k == 0 ? looked[0] : k == 1 ? looked[1] : k == 2 ? looked[2] : looked[3];
            unsigned const entry = here.state << entry_bits | index(here, k);
            activity.changed |= evaluate<Rule>(holds<Rule>(word), entry, word);
        }
    }

    template <class Rule>
    __device__ bool evaluate(bool enabled, unsigned entry, unsigned looked) const {
        S state(p_, first_state_ + (entry >> entry_bits));
        unsigned const i = entry & ((1u << entry_bits) - 1);
        if constexpr (looks_first<Rule, S>)
            return evaluate_enabled<Rule>(p_, enabled, state, i, looked);
        else
            return evaluate_enabled<Rule>(p_, enabled, state, i);
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
