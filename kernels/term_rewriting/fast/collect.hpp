#pragma once
// The collector of the engine `fast`, which runs between two launches of the rewriting kernel. It copies what lanes,
// queue and cells reach from one half of the heap to the other. A lane that copies a node continues with the node's
// last argument, so one lane follows an entire list or number. Every other copy gets a bit, and the next pass scans it
// (C. Cheney's scan, level by level).

#include "harness/simt/kernel.hpp"
#include "kernels/term_rewriting/fast/layout.hpp"

namespace lockstep::term_rewriting::fast::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

class Collector {
public:
    __device__ explicit Collector(Collection const& collection) : collection_(collection) {}

    // Moves what the lanes of the rewriting kernel and its queue refer to, and the normal forms of finished roots.
    __device__ void roots() {
        for (unsigned long long root = number(); root < collection_.result_count; root += threads())
            move(collection_.results[root]);
        for (unsigned long long lane = number(); lane < collection_.lanes; lane += threads())
            move_lane(lane);
        for (unsigned long long index = number(); index <= collection_.task_mask; index += threads()) {
            unsigned* const task = collection_.tasks + index * (task_words + collection_.registers);
            if (task[0] % 2 == 0)
                continue;
            move(task[2]);
            for (unsigned i = 0; i < collection_.pcs[task[1]].registers; ++i)
                move(task[task_words + i]);
        }
    }

    // Moves what the copies in granules `first` to `last` refer to.
    __device__ void scan() {
        for (unsigned long long at = collection_.first + number(); at < collection_.last; at += threads()) {
            unsigned long long const bit = at - collection_.to;
            // Other lanes may set bits in the last word at the same time, for granules that they copy in this pass.
            if ((load_relaxed(&collection_.bits[bit / 32]) >> (bit % 32) & 1u) != 0)
                scan_from(static_cast<unsigned>(at));
        }
    }

private:
    __device__ static unsigned long long number() {
        return static_cast<unsigned long long>(block_rank()) * threads_in_block() + thread_rank();
    }
    __device__ static unsigned long long threads() {
        return static_cast<unsigned long long>(blocks_in_grid()) * threads_in_block();
    }
    __device__ unsigned* node(unsigned term) const { return collection_.heap + 4ull * term; }

    __device__ void move_lane(unsigned long long lane) {
        auto const word = [&](unsigned i) -> unsigned& { return collection_.saved[i * collection_.lanes + lane]; };
        word(4) = word(5) = 0;  // the lane's free granules are in the old half
        unsigned const pc = word(0);
        if (pc == pc_idle)
            return;
        move(word(2));
        for (unsigned i = 0; i < collection_.pcs[pc].registers; ++i)
            move(word(saved_words + i));
        unsigned const stack = saved_words + collection_.registers;
        move_frames([&](unsigned i) -> unsigned& { return word(stack + i); }, word(1));
    }

    // Moves the terms in the frames of a stack, or of a part of one, from the top down.
    template <class Word>
    __device__ void move_frames(Word const& word, unsigned count) {
        for (unsigned top = count; top > 0;) {
            unsigned const words = word(top - 1) >> words_shift & max_frame_words;
            unsigned const pc = word(top - 1) & pc_mask;
            unsigned const base = top - words;
            unsigned const terms = pc == pc_evaluated ? words - 2 : collection_.pcs[pc].terms;
            for (unsigned i = 0; i < terms; ++i)
                move(word(base + i));
            top = base;
        }
    }

    __device__ void move(unsigned& reference) {
        bool copied = false;
        reference = moved(reference, copied);
        if (copied) {
            unsigned long long const bit = reference - collection_.to;
            atomicOr(&collection_.bits[bit / 32], 1u << (bit % 32));
        }
    }

    // Returns the term's new number. Sets `copied` if this call copied it. One lane copies a term; others wait.
    __device__ unsigned moved(unsigned term, bool& copied) {
        if (term < collection_.from || term >= collection_.from_end)
            return term;
        unsigned* const old = node(term);
        unsigned head = load_acquire(old);
        for (;; head = load_acquire(old)) {
            if (head == moved_mark)
                return old[1];
            if (head == busy_mark)
                __nanosleep(20);
            else if (atomicCAS(old, head, busy_mark) == head)
                break;
        }
        unsigned const words = head == cell_mark ? cell_words + old[1] : collection_.symbols[head].arity + 1;
        unsigned const granules = ceil_div(words, 4u);
        unsigned const made =
            static_cast<unsigned>(atomicAdd(&collection_.control->next, static_cast<unsigned long long>(granules)));
        unsigned* const copy = node(made);
        copy[0] = head;
        // The words after a cell's last one were never written.
        for (unsigned i = 1; i < 4 * granules; ++i)
            copy[i] = i < words ? old[i] : 0;
        old[1] = made;
        store_release(old, moved_mark);
        copied = true;
        return made;
    }

    __device__ void scan_from(unsigned term) {
        for (bool copied = true; copied;) {
            unsigned* const words = node(term);
            copied = false;
            if (words[0] == cell_mark) {
                move(words[3]);
                move(words[4]);
                move_frames([&](unsigned i) -> unsigned& { return words[cell_words + i]; }, words[1]);
                return;
            }
            unsigned const arity = collection_.symbols[words[0]].arity;
            for (unsigned i = 1; i < arity; ++i)
                move(words[i]);
            if (arity != 0)
                term = words[arity] = moved(words[arity], copied);
        }
    }

    Collection const& collection_;
};

__device__ inline void collect_roots(Collection const& collection) { Collector(collection).roots(); }
__device__ inline void collect_scan(Collection const& collection) { Collector(collection).scan(); }

}  // namespace lockstep::term_rewriting::fast::LOCKSTEP_MACHINE
