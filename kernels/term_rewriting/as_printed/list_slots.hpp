#pragma once
// Slot numbers of the terms in a tree of lists: shared numerals, then the lists in order, then the inner nodes with the
// root first. NVRTC reads this file, so it includes no host header.

#include "harness/simt/kernel.hpp"
#include "kernels/term_rewriting/as_printed/columns.hpp"

namespace lockstep::term_rewriting::as_printed {

inline constexpr unsigned max_device_elements = 64;

struct ListSlots {
    unsigned depth;
    unsigned elements;
    bool shared;  // equal numerals are one term

    __host__ __device__ constexpr unsigned lists() const { return 1u << depth; }
    // Nil, Sort and Leaf, and per element a Cons and, unless numerals are shared, its numeral.
    __host__ __device__ constexpr unsigned slots_per_list() const {
        return 3 + elements + (shared ? 0 : elements * (elements + 1) / 2);
    }
    __host__ __device__ constexpr unsigned shared_numeral(unsigned value) const { return 1 + value; }
    __host__ __device__ constexpr unsigned first_slot(unsigned list) const {
        return 1 + (shared ? elements : 0) + list * slots_per_list();
    }
    __host__ __device__ constexpr unsigned leaf(unsigned list) const { return first_slot(list + 1) - 1; }
    // Nodes are numbered from 1, and the children of i are 2 i and 2 i + 1. Nodes from lists() on are the leaves.
    __host__ __device__ constexpr unsigned node(unsigned i) const {
        return i >= lists() ? leaf(i - lists()) : first_slot(lists()) + i - 1;
    }
    // Has 64 bits, so that an input with more terms than possible slots is detected.
    __host__ __device__ constexpr Wide terms() const {
        return (shared ? elements : 0) + static_cast<Wide>(lists()) * slots_per_list() + lists() - 1;
    }
};

struct ListArguments {
    Columns columns;
    ListSlots slots;
    Wide seed;
    unsigned zero, successor, nil, cons, sort, leaf, node;  // symbols
};

}  // namespace lockstep::term_rewriting::as_printed
