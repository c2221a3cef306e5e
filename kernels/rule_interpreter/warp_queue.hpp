#pragma once
// Compaction within one warp: a warp tests a tile of 128 values, ranks the enabled ones by ballots, and puts their
// indices into its own queue in shared memory. As soon as the queue holds 32 entries, all lanes evaluate one each. No
// block barrier. A warp owns one state, a share of a state (`warps_per_state`), or several states (`states_per_warp`),
// whose values share the queue.
//
// Only the last round of a rule can leave lanes idle. A warp loads the next tile before it evaluates, so that the loads
// overlap with the evaluation. If so many values of a tile are enabled that the queue would cost more than the idle
// lanes, the tile bypasses the queue and is evaluated in place (`bypass_threshold`).
//
// Lanes are neighbouring instances of one state, or the same instance of neighbouring states (`Lanes`), whichever the
// layout has side by side in memory.

#include "common/rule_interpreter/team.hpp"
#include "harness/simt/shared_words.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

inline constexpr unsigned values_per_tile = 4;                      // per lane
inline constexpr unsigned tile_size = values_per_tile * warp_size;  // per warp
inline constexpr unsigned queue_size = tile_size + warp_size;       // fewer than 32 remain, up to 128 are added
inline constexpr unsigned max_queues = 8;                           // warps per block
inline constexpr unsigned entry_bits = 16;  // bits of the index in a queue's entry; the rest is the state

// Instance and state of a value, and the operand that its condition loaded: one word each, moved together.
struct alignas(8) QueueEntry {
    unsigned instance;
    unsigned operand;
};

struct WarpQueues {
    SharedArray<QueueEntry, max_queues * queue_size> entries;
};

// Position of a warp in its values: value `first` of its state with index `state`.
struct QueueCursor {
    unsigned state;
    int first;
};

// What the lanes of a warp share when they load values: a state, or an instance. A tile of `instances` has 4 instances
// of each of 32 states.
enum class Lanes { of_state, of_instance };

// True if a consequence is short enough to be unrolled several times in a kernel.
template <class Rule>
inline constexpr bool short_rule = requires {
    requires Rule::is_short;
};

template <class S, Lanes lanes_of = Lanes::of_state>
class WarpQueueTeam {
public:
    // `states` states from `first_state` on, at most 32 of them with Lanes::of_instance; of each, every `parts`-th
    // tile, starting with tile `part`.
    __device__ WarpQueueTeam(Parameters const& p, unsigned first_state, unsigned states, unsigned part, unsigned parts)
        : p_(p),
          queue_(shared_words_in_register<QueueEntry>(warp_id() * queue_size * sizeof(QueueEntry))),
          first_state_(first_state),
          states_(states),
          part_(part),
          parts_(parts) {}

    template <class Rule, bool fixed_point>
    __device__ void apply(unsigned rule, Activity& activity) {
        int const range = static_cast<int>(Rule::range(p_));
        QueueCursor at = {0, static_cast<int>(part_ * tile_instances)};
        if (states_ == 0 || at.first >= range)
            return;
        unsigned count = 0;
        unsigned words[values_per_tile];
        prefetch<Rule>(at, range, words);
        for (bool more = true; more;) {
            unsigned operand[values_per_tile];
            unsigned lanes[values_per_tile];
            unsigned enabled = 0;
#pragma unroll
            for (unsigned k = 0; k < values_per_tile; ++k) {
                operand[k] = words[k];
                bool const is = operand[k] != 0;
                lanes[k] = __ballot_sync(full_warp, is);
                enabled += static_cast<unsigned>(__popc(lanes[k]));
                if constexpr (fixed_point) {
                    if (is && p_.until == Until::activity)
                        activity.note_active(rule, index(at, k));
                }
            }
            unsigned const entry = (by_state ? at.state : lane_id()) << entry_bits | index(at, 0);
            more = advance(at, range);
            if (more)
                prefetch<Rule>(at, range, words);
            if (enabled >= values_per_tile * p_.bypass_threshold) {
                evaluate_in_place<Rule>(entry, operand, activity);
            } else {
                append(count, entry, lanes, operand);
                count += enabled;
            }
            __syncwarp();
            for (; count >= warp_size; count -= warp_size)
                evaluate_queued<Rule>(true, count - warp_size, activity);
            __syncwarp();
        }
        if (count != 0)
            evaluate_queued<Rule>(lane_id() < count, 0, activity);
        __syncwarp();
    }

    template <class Rule>
    __device__ void commit() {
        for (unsigned k = 0; k < states_; ++k) {
            S state(p_, first_state_ + k);
            for (unsigned i = lane_id(); part_ == 0 && i < Rule::range(p_); i += warp_size)
                commit_instance<Rule>(state, i);
        }
    }

    // Warps that share a state are in one block.
    __device__ void barrier() {
        if (parts_ > 1)
            __syncthreads();
        else
            __syncwarp();
    }

    __device__ void begin() {
        if (states_ != 0)
            note_state<WarpWidth>(p_, S(p_, first_state_), 0);
    }

    // With a fixed point, a warp has one full state.
    __device__ bool end_pass(unsigned pass, Activity const& activity) {
        if (states_ == 0)
            return false;
        bool continues = false;
        bool changed = false;
        if (p_.until == Until::cycle) {
            unsigned const period = note_state<WarpWidth>(p_, S(p_, first_state_), pass);
            continues = period == 0;
            changed = period != 1;
        } else if (p_.until == Until::activity) {
            unsigned long long const signature = WarpWidth::sum(activity.signature);
            changed = continues = signature != signature_;
            signature_ = signature;
        } else {
            changed = continues = WarpWidth::any(activity.changed);
        }
        if (changed && lane_id() == 0)
            p_.last_change[first_state_] = pass;
        return continues;
    }

private:
    static constexpr bool by_state = lanes_of == Lanes::of_state;
    static constexpr unsigned tile_instances = by_state ? tile_size : values_per_tile;  // of one state
    static constexpr unsigned step = by_state ? warp_size : 1;                          // to a lane's next instance

    __device__ static unsigned index(QueueCursor const& at, unsigned k) {
        return static_cast<unsigned>(at.first) + k * step + (by_state ? lane_id() : 0);
    }

    // Moves to the next tile; returns false if there is none.
    __device__ bool advance(QueueCursor& at, int range) const {
        at.first += static_cast<int>(parts_ * tile_instances);
        if (at.first < range)
            return true;
        at.first = static_cast<int>(part_ * tile_instances);
        return by_state && ++at.state < states_;
    }

    template <class Rule>
    __device__ void prefetch(QueueCursor const& at, int range, unsigned (&words)[values_per_tile]) const {
        S const state(p_, first_state_ + (by_state ? at.state : lane_id()));
        int const first = static_cast<int>(index(at, 0));
        constexpr int width = step;
        bool const present = by_state || lane_id() < states_;
        if (by_state && at.first + static_cast<int>(tile_instances) <= range) {
#pragma unroll
            for (int k = 0; k < static_cast<int>(values_per_tile); ++k)
                words[k] = load_operand<Rule>(state, first + k * width);
            return;
        }
#pragma unroll
        for (int k = 0; k < static_cast<int>(values_per_tile); ++k) {
            int const i = first + k * width;
            words[k] = present && i < range ? load_operand<Rule>(state, i) : 0;
        }
    }

    // Appends the lanes' enabled values from entry `slot` on; the first value of a lane is instance `entry`. Ranks are
    // computed by all lanes, so that only the stores are conditional.
    __device__ void append(unsigned slot, unsigned entry, unsigned const (&lanes)[values_per_tile],
                           unsigned const (&operand)[values_per_tile]) {
        unsigned const below = (1u << lane_id()) - 1;
#pragma unroll
        for (unsigned k = 0; k < values_per_tile; ++k) {
            unsigned const rank = static_cast<unsigned>(__popc(lanes[k] & below));
            if (operand[k] != 0)
                queue_[slot + rank] = QueueEntry{entry + k * step, operand[k]};
            slot += static_cast<unsigned>(__popc(lanes[k]));
        }
    }

    // Evaluates the entries from `from` on, one per lane.
    template <class Rule>
    __device__ void evaluate_queued(bool is, unsigned from, Activity& activity) const {
        QueueEntry const next = is ? static_cast<QueueEntry>(queue_[from + lane_id()]) : QueueEntry{0, 0};
        activity.changed |= evaluate<Rule>(is, next.instance, next.operand);
    }

    template <class Rule>
    __device__ void evaluate_in_place(unsigned entry, unsigned const (&operand)[values_per_tile],
                                      Activity& activity) const {
#pragma unroll(short_rule <Rule> ? values_per_tile : 1)
        for (unsigned k = 0; k < values_per_tile; ++k) {
            // Selected instead of indexed, so that words stay in registers if the loop is not unrolled.
            unsigned const word = k == 0 ? operand[0] : k == 1 ? operand[1] : k == 2 ? operand[2] : operand[3];
            activity.changed |= evaluate<Rule>(word != 0, entry + k * step, word);
        }
    }

    template <class Rule>
    __device__ bool evaluate(bool enabled, unsigned entry, unsigned operand) const {
        S state(p_, first_state_ + (entry >> entry_bits));
        unsigned const i = entry & ((1u << entry_bits) - 1);
        return evaluate_enabled<Rule>(p_, enabled, state, i, operand);
    }

    Parameters const& p_;
    SharedWords<QueueEntry> queue_;  // of this warp
    unsigned first_state_;
    unsigned states_;
    unsigned part_;
    unsigned parts_;
    unsigned long long signature_ = 0;
};

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
