#pragma once
// Detects that a state returns to an earlier one (Until::cycle). The paper ends an execution when no rule changes
// between active and inactive (section 3). That test ends oscillations too early: in every pass of a blinker of the
// Game of Life, the same values are active. So states are compared here, by a 64-bit hash.

#include "common/rule_interpreter/state.hpp"
#include "harness/bench/digest.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

// Sum of hashes of a state's words over the lanes of its team.
template <class Width, class S>
__device__ inline unsigned long long state_signature(S const& state) {
    using bench::LOCKSTEP_MACHINE::mix;
    unsigned long long own = 0;
#pragma unroll
    for (unsigned column = 0; column < max_columns; ++column) {
        for (unsigned i = Width::rank(); i < state.words(column); i += Width::size())
            own += mix(mix(static_cast<unsigned long long>(column) << 32 | i) + state.get(column, i));
    }
    return Width::sum(own);
}

// Returns the length of the oscillation that ends with this pass: k if the state is that of k passes ago, 1 for a fixed
// point, 0 if it is none of the last max_period states. Pass 0 is the initial state. All lanes of the team must call
// it.
template <class Width, class S>
__device__ inline unsigned note_state(Parameters const& p, S const& state, unsigned pass) {
    unsigned long long const signature = state_signature<Width>(state);
    unsigned long long* const last = p.signatures + static_cast<unsigned long long>(state.number()) * max_period;
    unsigned period = 0;
    for (unsigned k = pass < max_period ? pass : max_period; k > 0; --k)
        period = last[(pass - k) % max_period] == signature ? k : period;
    Width::barrier();  // all lanes have read before one writes
    if (Width::rank() == 0) {
        last[pass % max_period] = signature;
        p.periods[state.number()] = period;
    }
    Width::barrier();
    return period;
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
