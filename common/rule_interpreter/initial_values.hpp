#pragma once
// Input of the synthetic workload: value i of a state is drawn from (seed, state, i) only, so any machine can produce
// any state.

#include "harness/bench/digest.hpp"

namespace lockstep::rule_interpreter {

// Distribution of values. `enabled_percent` below 0: uniform on 0 .. divergence - 1 (the paper's phi, section 6), where
// 0 is disabled. Else: 1 for that percentage of values, 0 for the others.
struct ValueDraw {
    unsigned long long seed = 0;
    unsigned divergence = 2;
    int enabled_percent = -1;
};

namespace LOCKSTEP_MACHINE {

__host__ __device__ inline unsigned initial_value(ValueDraw const& draw, unsigned long long state, unsigned i) {
    using bench::LOCKSTEP_MACHINE::mix;
    unsigned long long const word = mix(mix(draw.seed + 0x9E3779B97F4A7C15ull * (state + 1)) + i) >> 32;
    if (draw.enabled_percent < 0)
        return static_cast<unsigned>(word * draw.divergence >> 32);
    return (word * 100 >> 32) < static_cast<unsigned>(draw.enabled_percent) ? 1 : 0;
}

}  // namespace LOCKSTEP_MACHINE

}  // namespace lockstep::rule_interpreter
