#pragma once
// The steps that every program of the engine `fast` has: a value is delivered, a term of the input is evaluated, and
// two normal forms are compared. Included by lane.hpp, which declares them.

#include "kernels/term_rewriting/fast/lane.hpp"

namespace lockstep::term_rewriting::fast::LOCKSTEP_MACHINE {

template <class Program, bool ramps>
__device__ __forceinline__ void Lane<Program, ramps>::deliver() {
    unsigned const value = a[0];
    pc = pc_idle;
    if (parent == 0) {
        // The host reads it after the kernel has ended, so nothing has to be ordered here.
        parameters_.results[slot] = value;
        if (atomicSub(&parameters_.control->unfinished, 1u) == 1)
            atomicMax(&parameters_.control->state, static_cast<unsigned>(state_finished));
        return;
    }
    unsigned const cell = parent;
    if (!Program::walks || slot != walk_slot)
        set_word(cell, slot == value_slot ? 3 : cell_words + slot, value);
    // A spilled part of this lane's own stack has no other child.
    if (word(cell, 6) == 0 && add_release_acquire(&words()[4ull * cell + 2], ~0u) != 1)
        return;
    unsigned const count = word(cell, 1);
    clear_stack(1 + count);
    for (unsigned i = 0; i < count; ++i)
        word_of_stack(1 + i) = word(cell, cell_words + i);
    parent = word(cell, 4);
    slot = word(cell, 5);
    give(word(cell, 3));
}

template <class Program, bool ramps>
__device__ __forceinline__ void Lane<Program, ramps>::evaluate() {
    unsigned const term = a[0];
    if (!is_pending(term)) {
        give(term);
        return;
    }
    unsigned const symbol = word(term, 0) & ~pending_mark;
    unsigned const arity = parameters_.symbols[symbol].arity;
    unsigned const first = next_pending(term, 0, arity);
    if (first == arity) {
        call(symbol, arity, [&](unsigned i) { return argument(term, i); });
        return;
    }
    if (!stack_room(arity + 3))
        return;
    sp += arity + 3;
    for (unsigned i = 0; i < arity; ++i)
        frame(arity + 3 - i) = argument(term, i);
    frame(3) = term;
    frame(2) = first;
    frame(1) = frame_top(pc_evaluated, arity + 3, next_pending(term, first + 1, arity) < arity);
    a[0] = argument(term, first);
}

template <class Program, bool ramps>
__device__ __forceinline__ void Lane<Program, ramps>::evaluated() {
    unsigned const term = frame(3);
    unsigned const symbol = word(term, 0) & ~pending_mark;
    unsigned const arity = parameters_.symbols[symbol].arity;
    unsigned const last = frame(2);
    unsigned const next = next_pending(term, last + 1, arity);
    if (next < arity) {
        frame(arity + 3 - last) = a[0];
        frame(2) = next;
        frame(1) = frame_top(pc_evaluated, arity + 3, next_pending(term, next + 1, arity) < arity);
        a[0] = frame(arity + 3 - next);
        pc = pc_evaluate;
        return;
    }
    unsigned const value = a[0];
    auto const argument_of = [&](unsigned i) -> unsigned { return i == last ? value : frame(3 - i); };
    if (parameters_.symbols[symbol].entry != 0) {
        if (parameters_.symbols[symbol].boxed != 0 && !room(ceil_div(arity + 1, 4u)))
            return;
        sp -= arity;
        call(symbol, arity, argument_of);
        sp -= 3;
    } else if (room(ceil_div(arity + 1, 4u))) {
        sp -= arity;
        unsigned const made = make(symbol, arity, argument_of);
        sp -= 3;
        give(made);
    }
}

template <class Program, bool ramps>
__device__ __forceinline__ void Lane<Program, ramps>::equal() {
    unsigned const left = a[0];
    unsigned const right = a[1];
    uint4 const of_left = look(left);
    uint4 const of_right = look(right);
    if (left == right || of_left.x != of_right.x) {
        give(left == right ? 1u : 0u);
        return;
    }
    unsigned const arity = parameters_.symbols[of_left.x].arity;
    if (arity >= 2) {
        if (!stack_room(4))
            return;
        sp += 4;
        frame(4) = left;
        frame(3) = right;
        frame(2) = 0;
        frame(1) = frame_top(pc_equal_next, 4, false);
    }
    a[0] = of_left.y;
    a[1] = of_right.y;
    if (arity == 0)
        give(1);
}

template <class Program, bool ramps>
__device__ __forceinline__ void Lane<Program, ramps>::equal_next() {
    unsigned const left = frame(4);
    unsigned const right = frame(3);
    unsigned const next = frame(2) + 1;
    if (a[0] == 0) {
        sp -= 4;
        give(0);
        return;
    }
    a[0] = argument(left, next);
    a[1] = argument(right, next);
    pc = pc_equal;
    if (next + 1 == parameters_.symbols[word(left, 0)].arity)
        sp -= 4;
    else
        frame(2) = next;
}

}  // namespace lockstep::term_rewriting::fast::LOCKSTEP_MACHINE
