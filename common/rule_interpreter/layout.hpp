#pragma once
// Layouts: location of word i of state s in a column of `range` words per state. The paper describes them by prose and
// figures, from which these formulas are derived (w = 32 lanes, S states):
//
//   A        s range + i                                     one state after another (Figure 4)
//   B        i S + s                                         A transposed
//   C        (i / w) (S w) + s w + i % w                     warps of values, interleaved by state (Figure 6)
//   C_group  C among the states of each group of Algorithm 3, one group after another
//
// Figure 6 does not say whether it shows C or C_group. The paper's addresses "require integer modulo and division
// operations" (section 4). With w = 32 at compile time, both are a shift and a mask. C_divided is C with w as a
// run-time value, so it pays for a division.
//
// A column is padded to full warps of values in C, and to full groups in C_group.

#include "common/rule_interpreter/parameters.hpp"
#include "harness/simt/ceil_div.hpp"

namespace lockstep::rule_interpreter {

namespace LOCKSTEP_MACHINE {

// `Index` is unsigned, or int in loops whose steps the compiler should fold into an address, because an int does not
// wrap.

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

struct LayoutCDivided {
    template <class Index>
    __device__ static Index index(Parameters const& p, unsigned, unsigned state, Index i) {
        unsigned const width = p.warp_width;
        unsigned const value = static_cast<unsigned>(i);
        return static_cast<Index>(value / width * (p.states * width) + state * width + value % width);
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
