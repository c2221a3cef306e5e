#pragma once
// Where word i of state s lies in a column of `range` words a state. The paper gives prose and figures; the formulas
// are read from them (w = 32 lanes, S states):
//
//   A        s range + i                                     a state after the other (Figure 4)
//   B        i S + s                                         A transposed
//   C        (i / w) (S w) + s w + i % w                     warps of values, interleaved by state (Figure 6)
//   C_group  C among the states of a group of Algorithm 3, group after group: Figure 6 does not say which it means
//
// A column takes whole warps of values in C, and whole groups in C_group.

#include "kernels/rule_interpreter/parameters.hpp"

namespace lockstep::rule_interpreter {

namespace LOCKSTEP_MACHINE {

struct LayoutA {
    __device__ static unsigned index(Parameters const&, unsigned range, unsigned state, unsigned i) {
        return state * range + i;
    }
};

struct LayoutB {
    __device__ static unsigned index(Parameters const& p, unsigned, unsigned state, unsigned i) {
        return i * p.states + state;
    }
};

struct LayoutC {
    __device__ static unsigned index(Parameters const& p, unsigned, unsigned state, unsigned i) {
        return i / 32 * (p.states * 32) + state * 32 + i % 32;
    }
};

struct LayoutCGroup {
    __device__ static unsigned index(Parameters const& p, unsigned range, unsigned state, unsigned i) {
        unsigned const group = p.states_a_group;
        return state / group * (group * ((range + 31) / 32 * 32)) + i / 32 * (group * 32) + state % group * 32 + i % 32;
    }
};

}  // namespace LOCKSTEP_MACHINE

}  // namespace lockstep::rule_interpreter
