#pragma once
// The tasks of the engine `fast`: those in shared memory, for lanes of the same block, and those in the queue of all
// blocks, a ring in global memory.

#include "kernels/term_rewriting/fast/lane.hpp"

namespace lockstep::term_rewriting::fast::LOCKSTEP_MACHINE {

template <class Program>
class Tasks {
public:
    static constexpr unsigned registers = Program::registers;
    using Inside = SharedArray<unsigned, max_threads*(task_words + registers)>;

    __device__ Tasks(Parameters const& parameters, Inside& inside, Lane<Program>& lane)
        : parameters_(parameters), inside_(inside), lane_(lane) {}

    template <class Argument>
    __device__ void write_inside(unsigned index, unsigned cell, unsigned pc, unsigned slot, Argument const& argument) {
        unsigned const at = index * (task_words + registers);
        inside_[at] = pc;
        inside_[at + 1] = cell;
        inside_[at + 2] = slot;
#pragma unroll
        for (unsigned i = 0; i < registers; ++i)
            inside_[at + task_words + i] = argument(i);
    }
    __device__ void read_inside(unsigned index) {
        unsigned const at = index * (task_words + registers);
        start(inside_[at], inside_[at + 1], inside_[at + 2]);
#pragma unroll
        for (unsigned i = 0; i < registers; ++i)
            lane_.a[i] = inside_[at + task_words + i];
    }

    // Moves tasks inside .. kept - 1 of shared memory to the queue, one per lane, and reads this lane's own task from
    // there. Lanes of different blocks may wait for each other here, so neither waits for the other.
    __device__ void exchange(unsigned inside, unsigned kept, unsigned tail, bool takes, unsigned ticket) {
        unsigned index = inside + threads_in_block() - 1 - thread_rank();  // the first warp has enough to do
        for (unsigned sleeps = 0; index < kept || takes; ++sleeps) {
            if (index < kept && is(task_at(tail + index - inside), uses_before(tail + index - inside))) {
                move_outside(tail + index - inside, index);
                index += threads_in_block();
            }
            if (takes && is(task_at(ticket), uses_before(ticket) + 1)) {
                take_outside(ticket);
                takes = false;
            }
            if (sleeps != 0)
                __nanosleep(20);
            if (sleeps == max_sleeps) {
                atomicMax(&parameters_.control->state, static_cast<unsigned>(state_lost_task));
                return;
            }
        }
    }

    // The first word of a queue entry is twice the number of its uses so far, plus one while it holds a task.
    template <class Argument>
    __device__ void write_outside(unsigned ticket, unsigned cell, unsigned pc, unsigned slot,
                                  Argument const& argument) {
        unsigned* const task = task_at(ticket);
        unsigned const uses = uses_before(ticket);
        if (!becomes(task, uses))
            return;
        task[1] = pc;
        task[2] = cell;
        task[3] = slot;
#pragma unroll
        for (unsigned i = 0; i < registers; ++i)
            task[task_words + i] = argument(i);
        store_release(task, uses + 1);
    }

private:
    __device__ void move_outside(unsigned ticket, unsigned index) {
        unsigned* const task = task_at(ticket);
        unsigned const at = index * (task_words + registers);
#pragma unroll
        for (unsigned i = 0; i < 3; ++i)
            task[1 + i] = inside_[at + i];
#pragma unroll
        for (unsigned i = 0; i < registers; ++i)
            task[task_words + i] = inside_[at + task_words + i];
        store_release(task, uses_before(ticket) + 1);
    }
    __device__ void take_outside(unsigned ticket) {
        unsigned* const task = task_at(ticket);
        start(task[1], task[2], task[3]);
#pragma unroll
        for (unsigned i = 0; i < registers; ++i)
            lane_.a[i] = task[task_words + i];
        store_release(task, uses_before(ticket + parameters_.task_mask + 1));  // tickets begin again after 2^32
    }
    __device__ unsigned uses_before(unsigned ticket) const { return 2 * (ticket / (parameters_.task_mask + 1)); }
    __device__ static bool is(unsigned const* task, unsigned uses) { return load_acquire(task) == uses; }
    // Waits for the other side of the queue, which is another lane that already has the entry's ticket. It needs
    // nothing of the waiting lane, and it may be in the same warp, so it relies on lanes that are scheduled
    // independently.
    __device__ bool becomes(unsigned const* task, unsigned uses) {
        for (unsigned sleeps = 0; load_acquire(task) != uses; ++sleeps) {
            if (sleeps == max_sleeps) {
                atomicMax(&parameters_.control->state, static_cast<unsigned>(state_lost_task));
                return false;
            }
            __nanosleep(20);
        }
        return true;
    }
    __device__ unsigned* task_at(unsigned ticket) const {
        return parameters_.tasks +
               static_cast<unsigned long long>(ticket & parameters_.task_mask) * (task_words + registers);
    }

    __device__ void start(unsigned pc, unsigned parent, unsigned slot) {
        lane_.pc = pc;
        lane_.parent = parent;
        lane_.slot = slot;
        lane_.clear_stack(1);
    }

    Parameters const& parameters_;
    Inside& inside_;
    Lane<Program>& lane_;
};

}  // namespace lockstep::term_rewriting::fast::LOCKSTEP_MACHINE
