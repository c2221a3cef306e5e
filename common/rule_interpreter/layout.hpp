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

#include "common/rule_interpreter/parameters.hpp"
#include "harness/simt/ceil_div.hpp"

namespace lockstep::rule_interpreter {

namespace LOCKSTEP_MACHINE {

// `Index` is unsigned, or int in loops whose steps the compiler should fold into an address: an int does not wrap.

struct LayoutA {
    template <class Index>
    __device__ static Index index(Parameters const&, unsigned range, unsigned state, Index i) {
        return static_cast<Index>(state * range) + i;
    }
};

struct LayoutB {
    template <class Index>
    __device__ static Index index(Parameters const& p, unsigned, unsigned state, Index i) {
        return i * static_cast<Index>(p.states) + static_cast<Index>(state);
    }
};

struct LayoutC {
    template <class Index>
    __device__ static Index index(Parameters const& p, unsigned, unsigned state, Index i) {
        unsigned const value = static_cast<unsigned>(i);
        return static_cast<Index>(value / 32 * (p.states * 32) + state * 32 + value % 32);
    }
};

struct LayoutCGroup {
    template <class Index>
    __device__ static Index index(Parameters const& p, unsigned range, unsigned state, Index i) {
        unsigned const group = p.states_per_group;
        unsigned const value = static_cast<unsigned>(i);
        return static_cast<Index>(state / group * (group * simt::round_up(range, 32u)) + value / 32 * (group * 32) +
                                  state % group * 32 + value % 32);
    }
};

}  // namespace LOCKSTEP_MACHINE

}  // namespace lockstep::rule_interpreter
