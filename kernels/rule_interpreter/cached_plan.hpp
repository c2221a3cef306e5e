#pragma once
// Distribution of states in shared memory over warps and blocks. Host code, equal on all machines.

#include <algorithm>
#include <bit>
#include <cstddef>

#include "harness/simt/ceil_div.hpp"

namespace lockstep::rule_interpreter {

// Either several states of one warp each, or one state of several warps.
struct CachedPlan {
    unsigned warps_per_state = 1;
    unsigned states_per_block = 1;
};

inline constexpr unsigned max_cached_warps = 16;         // that share a state
inline constexpr unsigned max_cached_states = 8;         // of one warp each, in a block
inline constexpr unsigned cached_bytes_per_warp = 4096;  // 228 KB of an H200's multiprocessor hold 57 such warps, of 64

// `state_bytes`: of one state in shared memory; `room`: bytes of a block for states, at least state_bytes. `warps`: the
// wanted warps per state, or 0.
inline CachedPlan plan_cached(std::size_t state_bytes, std::size_t room, unsigned warps) {
    auto const parts = static_cast<unsigned>(simt::ceil_div(state_bytes, std::size_t{cached_bytes_per_warp}));
    CachedPlan plan;
    plan.warps_per_state = std::min(warps != 0 ? warps : std::bit_ceil(std::max(1u, parts)), max_cached_warps);
    if (plan.warps_per_state == 1) {
        std::size_t const fit = room / std::max<std::size_t>(1, state_bytes);
        plan.states_per_block = static_cast<unsigned>(std::clamp<std::size_t>(fit, 1, max_cached_states));
    }
    return plan;
}

}  // namespace lockstep::rule_interpreter
