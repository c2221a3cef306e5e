#pragma once
// Rules of a rule file with compaction in every warp, after warp_queue.hpp (our variant `queue` of Köster et al. 2020):
// a warp tests a tile of 128 values, puts the enabled ones into its own queue in shared memory, ranked by ballots, and
// evaluates 32 at a time. Differences: columns have types, addresses have 64 bits, and a rule's range can differ
// between states.
//
// What diverges: conditions and consequences, and the last round of a rule, in which up to 31 lanes are idle. A tile
// moves 8 bytes through shared memory per enabled value. Loads and stores are those of the rules, plus two per value of
// a deferred column after a rule that wrote one.
//
// Preconditions: the warps of a state (`warps_per_state` > 1) form exactly one block. A warp with several states runs a
// fixed number of passes. Freestanding: NVRTC and the host's compiler read it at run time.

#include "common/rule_interpreter/rule_file/language.hpp"
#include "harness/simt/warp.hpp"

namespace lockstep::rule_interpreter::rule_file::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

inline constexpr unsigned max_queues = 8;  // warps per block
inline constexpr unsigned values_per_lane = 4;
inline constexpr unsigned tile_size = values_per_lane * warp_size;
inline constexpr unsigned queue_size = tile_size + warp_size;  // fewer than 32 remain, up to 128 are added

struct alignas(8) QueueEntry {
    unsigned state;  // in the warp
    unsigned instance;
};

struct WarpQueues {
    SharedArray<QueueEntry, max_queues * queue_size> entries;
};

template <class S>
class QueueTeam {
public:
    // `states` states from `first` on; of each, every `parts`-th tile, starting with tile `part`.
    __device__ QueueTeam(Arguments const& a, u64 first, unsigned states, unsigned part, unsigned parts)
        : a_(a), queues_(shared_memory<WarpQueues>()), first_(first), states_(states), part_(part), parts_(parts) {}

    template <class Rule>
    __device__ void apply() {
        scan<Rule>();
        end_rule();
    }

    // This warp's tiles of a rule, without the barrier at the rule's end.
    template <class Rule>
    __device__ void scan() {
        unsigned count = 0;
        for (unsigned k = 0; k < states_; ++k) {
            S const state(a_, first_ + k);
            u64 const range = Rule::range(state);
            for (u64 at = static_cast<u64>(part_) * tile_size; at < range; at += static_cast<u64>(parts_) * tile_size) {
                unsigned lanes[values_per_lane];
                unsigned enabled = 0;
#pragma unroll
                for (unsigned j = 0; j < values_per_lane; ++j) {
                    u64 const i = at + j * warp_size + lane_id();
                    lanes[j] = __ballot_sync(full_warp, i < range && Rule::condition(state, static_cast<u32>(i)));
                    enabled += static_cast<unsigned>(__popc(lanes[j]));
                }
                tested_ += range - at < tile_size ? range - at : tile_size;
                enabled_ += enabled;
                if (enabled >= a_.bypass_threshold)
                    evaluate_in_place<Rule>(k, static_cast<u32>(at), lanes);
                else
                    count = append_and_evaluate<Rule>(count, k, static_cast<u32>(at), lanes, enabled);
            }
        }
        evaluate_rest<Rule>(count);
    }

    // Adds what this warp tested and found enabled, if the warp is one of the sample.
    __device__ void count(u64 warp) const {
        if (warp % a_.sample_step == 0 && lane_id() == 0) {
            atomicAdd(&a_.counted[0], tested_);
            atomicAdd(&a_.counted[1], enabled_);
        }
    }

    // Of this lane.
    __device__ bool changed() const { return changed_; }
    __device__ bool written() const { return written_; }

    // Returns false if nothing changed in this pass.
    __device__ bool end_pass(unsigned pass, bool is_last) {
        bool const continues = any(changed_);
        changed_ = false;
        if (continues && part_ == 0 && lane_id() == 0) {
            a_.last_change[first_] = pass;
            if (is_last)
                store_relaxed(a_.running, pass);
        }
        return continues;
    }

private:
    template <class Rule>
    __device__ void evaluate_in_place(unsigned k, u32 at, unsigned const (&lanes)[values_per_lane]) {
#pragma unroll 1
        for (unsigned j = 0; j < values_per_lane; ++j) {
            // Selected instead of indexed, so that the words stay in registers.
            unsigned const word = j == 0 ? lanes[0] : j == 1 ? lanes[1] : j == 2 ? lanes[2] : lanes[3];
            if ((word >> lane_id() & 1) != 0)
                evaluate<Rule>(k, at + j * warp_size + lane_id());
        }
    }

    // Returns the number of entries that remain.
    template <class Rule>
    __device__ unsigned append_and_evaluate(unsigned count, unsigned k, u32 at,
                                            unsigned const (&lanes)[values_per_lane], unsigned enabled) {
        unsigned const queue = warp_id() * queue_size;
        unsigned slot = queue + count;
#pragma unroll
        for (unsigned j = 0; j < values_per_lane; ++j) {
            if ((lanes[j] >> lane_id() & 1) != 0)
                queues_.entries[slot + rank_in(lanes[j])] = QueueEntry{k, at + j * warp_size + lane_id()};
            slot += static_cast<unsigned>(__popc(lanes[j]));
        }
        count += enabled;
        __syncwarp();
        while (count >= warp_size) {
            count -= warp_size;
            QueueEntry const entry = queues_.entries[queue + count + lane_id()];
            evaluate<Rule>(entry.state, entry.instance);
        }
        __syncwarp();
        return count;
    }

    template <class Rule>
    __device__ void evaluate_rest(unsigned count) {
        if (lane_id() < count) {
            QueueEntry const entry = queues_.entries[warp_id() * queue_size + lane_id()];
            evaluate<Rule>(entry.state, entry.instance);
        }
        __syncwarp();
    }

    template <class Rule>
    __device__ void evaluate(unsigned k, u32 i) {
        S state(a_, first_ + k);
        changed_ |= Rule::evaluate(state, i);
        written_ |= state.written();
    }

    // The next rule sees the stores of this one.
    __device__ void end_rule() {
        if constexpr (S::deferring) {
            bool const commits = any(written_);
            written_ = false;
            if (commits) {
                for (unsigned k = 0; k < states_; ++k)
                    S::commit(a_, first_ + k, part_ * warp_size + lane_id(), ~0ull, parts_ * warp_size);
            } else {
                return;  // any() was the barrier
            }
        }
        if (parts_ > 1)
            __syncthreads();
        else
            __syncwarp();
    }

    __device__ bool any(bool value) const {
        return parts_ > 1 ? __syncthreads_or(value) != 0 : __any_sync(full_warp, value) != 0;
    }

    Arguments const& a_;
    WarpQueues& queues_;
    u64 first_;
    unsigned states_;
    unsigned part_;
    unsigned parts_;
    bool changed_ = false;
    bool written_ = false;
    u64 tested_ = 0;
    u64 enabled_ = 0;
};

template <class S, class... Rules>
struct QueueProgram {
    // All passes of a launch. A warp owns a part of one state, or one or several full states.
    __device__ static void run(Arguments const& a) {
        u64 const warp = static_cast<u64>(block_rank()) * warps_in_block() + warp_id();
        u64 const first = warp / a.warps_per_state * a.states_per_warp;
        if (first >= a.states)
            return;
        // An earlier launch found the fixed point of this state.
        if (a.to_fixed_point != 0 && a.last_change[first] != a.first_pass)
            return;
        u64 const left = a.states - first;
        QueueTeam<S> team(a, first, static_cast<unsigned>(left < a.states_per_warp ? left : a.states_per_warp),
                          static_cast<unsigned>(warp % a.warps_per_state), a.warps_per_state);
        unsigned const last = a.first_pass + a.passes;
        for (unsigned pass = a.first_pass + 1; pass <= last; ++pass) {
            (team.template apply<Rules>(), ...);
            if (a.to_fixed_point != 0 && !team.end_pass(pass, pass == last))
                break;
        }
        team.count(warp);
    }

    // Sets column a.column of all states.
    __device__ static void initialise(Arguments const& a) {
        u64 const size = a.sizes[a.column];
        u64 const step = static_cast<u64>(blocks_in_grid()) * threads_in_block();
        for (u64 at = static_cast<u64>(block_rank()) * threads_in_block() + thread_rank(); at < a.states * size;
             at += step)
            S::initialise(a, a.column, at / size, static_cast<u32>(at % size));
    }

    // Adds to the digests, which are 0 before.
    __device__ static void digest(Arguments const& a) {
        u64 const step = static_cast<u64>(blocks_in_grid()) * warps_in_block();
        u64 const stride = static_cast<u64>(a.warps_per_state) * warp_size;
        for (u64 at = static_cast<u64>(block_rank()) * warps_in_block() + warp_id(); at < a.states * a.warps_per_state;
             at += step) {
            u64 const first = at % a.warps_per_state * warp_size + lane_id();
            u64 const sum = warp_sum(S::digest(a, at / a.warps_per_state, first, stride));
            if (lane_id() == 0)
                atomicAdd(&a.digests[at / a.warps_per_state], sum);
        }
    }
};

}  // namespace lockstep::rule_interpreter::rule_file::LOCKSTEP_MACHINE
