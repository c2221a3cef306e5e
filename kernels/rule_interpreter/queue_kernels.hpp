#pragma once
// The kernels of variant `queue`.

#include "kernels/rule_interpreter/warp_queue.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

// A warp owns a part of one state, or one or several full states. Without __launch_bounds__, because it gives the same
// number of registers and slower loops (METHOD.md, "Registers").
template <class Layout, class Rules>
__global__ void queue(__grid_constant__ Parameters const p) {
    unsigned const warp = block_rank() * warps_in_block() + warp_id();
    unsigned const first = warp / p.warps_per_state * p.states_per_warp;
    unsigned const left = first < p.states ? p.states - first : 0;
    unsigned const states = left < p.states_per_warp ? left : p.states_per_warp;
    WarpQueueTeam<State<Layout>> team(p, first, states, warp % p.warps_per_state, p.warps_per_state);
    run_program(team, p, Rules());
}

// For layout B, in which the same values of neighbouring states are side by side: a warp has a part of 32 states.
template <class Rules>
__global__ void queue_of_32_states(__grid_constant__ Parameters const p) {
    unsigned const warp = block_rank() * warps_in_block() + warp_id();
    unsigned const first = warp / p.warps_per_state * warp_size;
    unsigned const left = first < p.states ? p.states - first : 0;
    WarpQueueTeam<State<LayoutB>, Lanes::of_instance> team(p, first, left < warp_size ? left : warp_size,
                                                           warp % p.warps_per_state, p.warps_per_state);
    run_program(team, p, Rules());
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
