#pragma once
// A lane of the engine `fast`: frames, cells, and the program counters that every program has. The generated rules
// (generator.hpp) use its public members. A step changes nothing until it has made sure that there is room.

#include "harness/simt/kernel.hpp"
#include "kernels/term_rewriting/fast/granules.hpp"

namespace lockstep::term_rewriting::fast::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

// `ramps`: several lanes take the same steps (ramp.hpp). Only the one that leads counts them and writes cells.
template <class Program, bool ramps = false>
class Lane : public Granules<Program> {
public:
    static constexpr unsigned registers = Program::registers;
    using Granules<Program>::argument;
    using Granules<Program>::look;
    using Granules<Program>::put;
    using Granules<Program>::room;
    using Granules<Program>::take;

    __device__ Lane(Parameters const& parameters, unsigned* stack,
                    Counts<Program::counters, Program::counts_in_shared>& counts)
        : Granules<Program>(parameters), stack_(stack), counts_(counts) {
        clear_stack(1);
        for (unsigned i = 0; i < registers; ++i)
            a[i] = 0;
    }

    unsigned pc = pc_idle;
    // The stack holds the words bottom .. sp - 1, with word i in entry i % Program::stack_words. Moving its lower part
    // elsewhere raises bottom, and no index restarts until the stack is cleared.
    unsigned sp = 1;
    unsigned bottom = 0;
    unsigned a[registers];
    unsigned parent = 0;  // cell that gets the value; 0: the value is the normal form of a root
    unsigned slot = 0;    // slot of the parent, or number of the root
    bool full = false;    // the stack has no room for the next step
    bool offers = false;  // a walk has passed many elements that other lanes can take
    bool leads = true;
    unsigned leader_distance = 0;  // from this lane's granules to those of the lane that leads

    // Used by the generated rules, and the members of Granules.

    __device__ __forceinline__ bool stack_room(unsigned words) {
        full = sp + words - bottom > Program::stack_words;
        return !full;
    }
    // A word of the top frame, counted from the end of the stack: frame(1) is the last word.
    __device__ __forceinline__ unsigned& frame(unsigned below) { return word_of_stack(sp - below); }
    __device__ __forceinline__ void give(unsigned value) {
        a[0] = value;
        pc = frame(1) & pc_mask;
    }
    // Stores the next value in word `word` of the node, and then gives `value`. If the top frame already waits for such
    // a value, `value` is stored there immediately, so one frame suffices to make a list or a number from its head on.
    __device__ __forceinline__ void hold(unsigned value, unsigned node, unsigned word) {
        if (frame(1) == fill_top) {
            set_word(frame(3), frame(2), value);
        } else {
            sp += fill_words;
            frame(4) = value;
            frame(1) = fill_top;
        }
        frame(3) = node;
        frame(2) = word;
    }
    __device__ __forceinline__ void fill() {
        set_word(frame(3), frame(2), a[0]);
        unsigned const value = frame(4);
        sp -= fill_words;
        give(value);
    }
    // Adds a node to the list of a walk (walk.hpp), and a frame of `words` words for its element. If the top frame is
    // that of the previous element, its node gets the new one in word `rest`. Otherwise the node is the list's first.
    __device__ __forceinline__ void walk(unsigned node, unsigned words, unsigned rest, unsigned waits, unsigned begins,
                                         unsigned ends) {
        if (frame(1) == waits) {
            set_word(frame(words), rest, node);
            frame(1) = begins;
        } else {
            sp += 2;
            frame(2) = node;
            frame(1) = ends;
        }
        sp += words;
        frame(words) = node;
        frame(1) = waits;
        offers = sp - bottom > Program::stack_words / 4 * 3;
    }
    __device__ __forceinline__ void count(unsigned counter) {
        if (ramps && !leads)
            return;
        if constexpr (Program::counts_in_shared)
            atomicAdd(&counts_.counts[counter], 1u);
        else
            atomicAdd(&parameters_.counts[counter], 1ull);
    }

    // Steps that every program has (common_steps.hpp).

    // Delivers the value to the parent cell. The last child of a cell continues with the frames in the cell.
    __device__ void deliver();
    __device__ void evaluate();
    __device__ void evaluated();
    __device__ void equal();
    __device__ void equal_next();

    // Used by the scheduler.

    struct Groups {
        unsigned oldest;  // end, in the stack, of the oldest frame that has calls to share; 0: there is none
        unsigned count;   // number of such frames
        unsigned like;    // of these, the oldest one and those that follow it and are of the same kind
    };
    __device__ Groups groups() const {
        Groups groups = {0, 0, 0};
        unsigned oldest = 0;
        for (unsigned top = sp; top > bottom + 1;) {
            unsigned const of = word_of_stack(top - 1);
            unsigned const words = of >> words_shift & max_frame_words;
            if ((of & group_mark) != 0) {
                groups.like = of == oldest && top + words == groups.oldest ? groups.like + 1 : 1;
                oldest = of;
                groups.oldest = top;
                ++groups.count;
            }
            top -= words;
        }
        return groups;
    }

    // Returns the number of calls that the oldest such frame has yet to make and that other lanes can take, or `most`
    // if that is less. The elements of a walk are taken together.
    __device__ unsigned calls_of(Groups const& of, unsigned most) const {
        if (!Program::walks || parameters_.pcs[word_of_stack(of.oldest - 1) & pc_mask].starts == 0)
            return group_size(of.oldest);
        return of.like < most ? of.like : most;
    }
    __device__ unsigned group_size(unsigned top) const {
        unsigned const of = word_of_stack(top - 1) & pc_mask;
        if (of != pc_evaluated)
            return parameters_.pcs[of].count;
        unsigned const arity = frame_words(top) - 3;
        unsigned const term = word_of_stack(top - 3);
        unsigned count = 0;
        for (unsigned i = next_pending(term, word_of_stack(top - 2) + 1, arity); i < arity;
             i = next_pending(term, i + 1, arity))
            ++count;
        return count;
    }

    // The same, or 0 if they are elements of a walk.
    __device__ unsigned shared_calls(unsigned top) const {
        bool const elements = Program::walks && parameters_.pcs[word_of_stack(top - 1) & pc_mask].starts != 0;
        return elements ? 0 : group_size(top);
    }

    __device__ bool room_for_cell(unsigned top) { return room(granules_of_cell(top - 1 - bottom)); }
    __device__ bool has_room_for_cell(unsigned top) const { return end_ - at_ >= granules_of_cell(top - 1 - bottom); }

    // Passes `calls` calls, as calls_of() returns them, to push_task(cell, pc, slot, argument of each register).
    // Requires room_for_cell().
    template <class PushTask>
    __device__ void give_away(unsigned top, unsigned calls, PushTask& push_task) {
        unsigned const starts = Program::walks ? parameters_.pcs[word_of_stack(top - 1) & pc_mask].starts : 0;
        if (starts != 0)
            give_elements(top, calls, starts, push_task);
        else
            split(top, push_task);
    }

    // The walk's cell has no values, only a counter: one for the lane that walks, and one per element.
    template <class PushTask>
    __device__ void give_elements(unsigned top, unsigned count, unsigned starts, PushTask& push_task) {
        unsigned const words = frame_words(top);
        unsigned const base = top - words;
        unsigned cell = parent;
        if (slot == walk_slot && base == bottom + 1)
            atomicAdd(&this->words()[4ull * cell + 2], count);
        else
            cell = make_cell(base, 1 + count);
        for (unsigned i = 0; i < count; ++i) {
            push_task(cell, starts, walk_slot,
                      [&](unsigned k) { return k + 1 < words ? word_of_stack(base + i * words + k) : 0u; });
        }
        leave_to(cell, walk_slot, base + count * words);
    }

    // Moves the stack up to `top` into a cell, and passes the calls that its last frame has yet to make.
    template <class PushTask>
    __device__ void split(unsigned top, PushTask& push_task) {
        unsigned const of = word_of_stack(top - 1) & pc_mask;
        unsigned const count = group_size(top);
        unsigned const base = top - frame_words(top);
        unsigned const in_cell = base - bottom - 1;
        unsigned const cell = make_cell(top, count + 1);
        unsigned mine = 0;
        if (of == pc_evaluated) {
            unsigned const arity = top - base - 3;
            unsigned const term = word_of_stack(top - 3);
            unsigned last = word_of_stack(top - 2);
            mine = in_cell + last;
            for (unsigned given = 1; given <= count; ++given) {
                last = next_pending(term, last + 1, arity);
                // The frame receives the last value when it continues, not in a slot.
                push_task(cell, pc_evaluate, given == count ? value_slot : in_cell + last,
                          [&](unsigned) { return word_of_stack(base + last); });
            }
            set_cell_word(cell, cell_words + in_cell + arity + 1, last);
            set_cell_word(cell, cell_words + in_cell + arity + 2, frame_top(pc_evaluated, arity + 3, false));
        } else {
            PcInfo const info = parameters_.pcs[of];
            mine = in_cell + info.slot;
            set_cell_word(cell, cell_words + mine, 0);
            for (unsigned i = 0; i < count; ++i) {
                unsigned const* const call = parameters_.calls + (info.first + i) * (call_words + registers);
                unsigned const to = call[1] == value_slot ? value_slot : in_cell + call[1];
                if (to != value_slot)
                    set_cell_word(cell, cell_words + to, 0);
                push_task(cell, call[0], to, [&](unsigned k) {
                    unsigned const from = call[call_words + k];
                    return (from & constant_source) != 0 ? from & ~constant_source : word_of_stack(base + from);
                });
            }
            set_cell_word(cell, cell_words + top - bottom - 2, info.join);
        }
        leave_to(cell, mine, top);
    }

    // Makes room in the stack: moves its lower half to a cell in the heap.
    __device__ void spill() {
        unsigned cut = sp;
        while (cut > bottom + 1 && cut - bottom > Program::stack_words / 2)
            cut -= frame_words(cut);
        if (cut <= bottom + 1)
            cut = sp;
        if (!room_for_cell(cut))
            return;
        full = false;
        unsigned const cell = make_cell(cut, 1);
        set_word(cell, 6, 1);
        leave_to(cell, value_slot, cut);
    }

    // Resets the stack to `words` words, for a new task or for one that continues. Word 0 is the frame of pc_deliver.
    __device__ void clear_stack(unsigned words) {
        bottom = 0;
        sp = words;
        word_of_stack(0) = frame_top(pc_deliver, 1, false);
    }

    // Save the lane to memory and restore it, if the kernel ends before the work does.
    __device__ void save(unsigned lane, unsigned lanes) const {
        unsigned const state[saved_words] = {pc, sp - bottom, parent, slot, at_, end_};
        for (unsigned i = 0; i < saved_words; ++i)
            saved(lane, lanes, i) = state[i];
        for (unsigned i = 0; i < registers; ++i)
            saved(lane, lanes, saved_words + i) = a[i];
        for (unsigned i = bottom; pc != pc_idle && i < sp; ++i)
            saved(lane, lanes, saved_words + registers + i - bottom) = word_of_stack(i);
    }
    __device__ void restore(unsigned lane, unsigned lanes) {
        if (parameters_.begins != 0) {
            at_ = static_cast<unsigned>(parameters_.granted) + lane * parameters_.chunk;
            end_ = parameters_.granted == 0 ? at_ : at_ + parameters_.chunk;
            return;
        }
        pc = saved(lane, lanes, 0);
        clear_stack(pc == pc_idle ? 1 : saved(lane, lanes, 1));
        parent = saved(lane, lanes, 2);
        slot = saved(lane, lanes, 3);
        at_ = saved(lane, lanes, 4);
        end_ = saved(lane, lanes, 5);
        for (unsigned i = 0; pc != pc_idle && i < registers; ++i)
            a[i] = saved(lane, lanes, saved_words + i);
        for (unsigned i = 0; pc != pc_idle && i < sp; ++i)
            word_of_stack(i) = saved(lane, lanes, saved_words + registers + i);
    }

private:
    using Granules<Program>::at_;
    using Granules<Program>::end_;
    using Granules<Program>::is_pending;
    using Granules<Program>::next_pending;
    using Granules<Program>::parameters_;
    using Granules<Program>::set_word;
    using Granules<Program>::word;
    using Granules<Program>::words;

    __device__ __forceinline__ unsigned& word_of_stack(unsigned i) const { return stack_[i % Program::stack_words]; }

    __device__ unsigned& saved(unsigned lane, unsigned lanes, unsigned i) const {
        return parameters_.saved[static_cast<unsigned long long>(i) * lanes + lane];
    }
    template <class Argument>
    __device__ __forceinline__ unsigned make(unsigned symbol, unsigned arity, Argument const& argument_of) {
        unsigned const made = take(ceil_div(arity + 1, 4u));
        set_word(made, 0, symbol);
        for (unsigned i = 0; i < arity; ++i)
            set_word(made, 1 + i, argument_of(i));
        // look() reads granules whole.
        for (unsigned i = arity + 1; i % 4 != 0; ++i)
            set_word(made, i, 0);
        return made;
    }

    // Does nothing if the symbol is boxed and there is no room for its node.
    template <class Argument>
    __device__ __forceinline__ void call(unsigned symbol, unsigned arity, Argument const& argument_of) {
        if (parameters_.symbols[symbol].boxed != 0) {
            if (!room(ceil_div(arity + 1, 4u)))
                return;
            a[0] = make(symbol, arity, argument_of);
        } else {
#pragma unroll
            for (unsigned i = 0; i < registers; ++i) {
                if (i < arity)
                    a[i] = argument_of(i);
            }
        }
        pc = parameters_.symbols[symbol].entry;
    }

    // Returns the length of the frame that ends at `top`.
    __device__ unsigned frame_words(unsigned top) const {
        return word_of_stack(top - 1) >> words_shift & max_frame_words;
    }

    static __device__ unsigned granules_of_cell(unsigned words) { return ceil_div(cell_words + words, 4u); }

    __device__ unsigned make_cell(unsigned top, unsigned children) {
        unsigned const count = top - 1 - bottom;
        unsigned const cell = take(granules_of_cell(count)) + (ramps ? leader_distance : 0);
        if (ramps && !leads)
            return cell;
        put(cell, cell_mark, count, children, 0);
        put(cell + 1, parent, slot, 0, 0);
        for (unsigned i = 0; i < count; ++i)
            set_word(cell, cell_words + i, word_of_stack(bottom + 1 + i));
        return cell;
    }

    __device__ void set_cell_word(unsigned cell, unsigned i, unsigned value) {
        if (!ramps || leads)
            set_word(cell, i, value);
    }

    // Continues with the stack above `top`, whose value goes to the cell.
    __device__ void leave_to(unsigned cell, unsigned slot_of_value, unsigned top) {
        // A value that is being given to the top frame, which may now be in the cell.
        bool const giving = pc == (word_of_stack(sp - 1) & pc_mask);
        parent = cell;
        slot = slot_of_value;
        bottom = top - 1;
        word_of_stack(bottom) = frame_top(pc_deliver, 1, false);
        if (giving)
            pc = word_of_stack(sp - 1) & pc_mask;
    }

    unsigned* stack_;  // a ring
    Counts<Program::counters, Program::counts_in_shared>& counts_;
};

}  // namespace lockstep::term_rewriting::fast::LOCKSTEP_MACHINE

#include "kernels/term_rewriting/fast/common_steps.hpp"
