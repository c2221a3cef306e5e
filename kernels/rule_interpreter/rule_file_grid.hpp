#pragma once
// Rules of a rule file over the whole grid, for a few large states: a launch applies one rule to all of them, and the
// end of the launch is the barrier between rules. Another launch copies the waiting stores of deferred columns. The
// warps of a state are in many blocks; each compacts for itself, as in rule_file_queue.hpp.
//
// What diverges: as there. On top of its traffic, a block reads and writes two words per state and rule.
//
// Preconditions: `warps_per_state` is a multiple of the warps per block, so that a block has one state; a launch has
// one pass. Freestanding: NVRTC and the host's compiler read it at run time.

#include "kernels/rule_interpreter/rule_file_queue.hpp"

namespace lockstep::rule_interpreter::rule_file::LOCKSTEP_MACHINE {

template <class S, class... Rules>
struct GridProgram {
    // Rule a.rule.
    __device__ static void apply(Arguments const& a) {
        u64 const state = state_of_block(a);
        unsigned const pass = a.first_pass + 1;
        if (is_over(a, state, pass))
            return;
        QueueTeam<S> team(a, state, 1, part_of_warp(a), a.warps_per_state);
        unsigned number = 0;
        ((number++ == a.rule ? team.template scan<Rules>() : void()), ...);
        team.count(static_cast<u64>(block_rank()) * warps_in_block() + warp_id());
        if (a.to_fixed_point != 0 && __syncthreads_or(team.changed()) != 0 && thread_rank() == 0) {
            store_relaxed(&a.last_change[state], pass);
            store_relaxed(a.running, pass);
        }
        if (S::deferring && __syncthreads_or(team.written()) != 0 && thread_rank() == 0)
            store_relaxed(&a.written[state], a.launch);
    }

    // The stores that the launch of apply() before left waiting. It has the same number.
    __device__ static void commit(Arguments const& a) {
        u64 const state = state_of_block(a);
        if (a.written[state] == a.launch)
            S::commit(a, state, part_of_warp(a) * warp_size + lane_id(), ~0ull,
                      static_cast<u64>(a.warps_per_state) * warp_size);
    }

private:
    __device__ static u64 state_of_block(Arguments const& a) {
        return static_cast<u64>(block_rank()) * warps_in_block() / a.warps_per_state;
    }
    __device__ static unsigned part_of_warp(Arguments const& a) {
        return static_cast<unsigned>((static_cast<u64>(block_rank()) * warps_in_block() + warp_id()) %
                                     a.warps_per_state);
    }

    // An earlier pass changed nothing. A state that is not over has the pass before, or, after a rule that changed
    // something, this pass: whichever of them a block reads, all blocks decide alike.
    __device__ static bool is_over(Arguments const& a, u64 state, unsigned pass) {
        return a.to_fixed_point != 0 && load_relaxed(&a.last_change[state]) + 1 < pass;
    }
};

}  // namespace lockstep::rule_interpreter::rule_file::LOCKSTEP_MACHINE
