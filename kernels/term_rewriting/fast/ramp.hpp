#pragma once
// The start of the engine `fast` without exchange: a kernel that runs before the rewriting kernel, if the input is one
// task. All lanes take the same first steps from the same term, each in granules of its own. A range of lanes that
// reaches a group of calls splits into one range per call, and each range goes on with its own call. So work spreads
// over n lanes in log n steps, and no lane waits for another. In a range, the first lane leads: it counts the rewrites
// and writes the cell, and its term is the one that remains. A range whose calls end before it is one lane leaves its
// other lanes idle.
//
// There is no race: a lane reads the input and what it has written itself. The next kernel reads the cells.
// All lanes of a range take the same decisions, because they have made the same nodes and so have equally many free
// granules. So each of them knows where the cell of its leader is.

#include "kernels/term_rewriting/fast/lane.hpp"

namespace lockstep::term_rewriting::fast::LOCKSTEP_MACHINE {

template <class Program>
class Ramp {
public:
    static constexpr unsigned registers = Program::registers;
    using RampLane = Lane<Program, true>;

    __device__ Ramp(Parameters const& parameters, RampLane& lane, unsigned number)
        : parameters_(parameters), lane_(lane), number_(number), lanes_(parameters.ramp_lanes) {}

    // Leaves the lane with its own call, or idle.
    __device__ void run() {
        if (number_ >= lanes_)
            return;
        start();
        follow(0, lanes_);
        unsigned const end = lane_.end_of_granules();
        unsigned const spare = parameters_.chunk / 4;  // far more than most steps need
        for (unsigned steps = 0; lanes_ > 1 && steps < parameters_.ramp_steps;) {
            if (unsigned const top = lane_.groups().oldest; top != 0) {
                if (!divide(top))
                    break;
                steps = 0;
                continue;
            }
            if (lane_.pc <= pc_deliver || lane_.free_granules() < spare)
                break;
            Program::step(lane_);
            ++steps;
            // A step that needs more than the lane's granules, or a longer stack, is the last one.
            if (lane_.full || lane_.end_of_granules() != end)
                break;
        }
        lane_.full = false;
        if (!lane_.leads)
            lane_.pc = pc_idle;
    }

private:
    // Receives the calls of a group in order and keeps the one of the lane's part.
    struct Choose {
        unsigned wanted;
        unsigned calls;
        unsigned pc;
        unsigned parent;
        unsigned slot;
        unsigned arguments[registers];

        template <class Argument>
        __device__ void operator()(unsigned cell, unsigned pc_of_call, unsigned slot_of_value,
                                   Argument const& argument) {
            if (++calls != wanted)
                return;
            pc = pc_of_call;
            parent = cell;
            slot = slot_of_value;
#pragma unroll
            for (unsigned i = 0; i < registers; ++i)
                arguments[i] = argument(i);
        }
    };

    __device__ void start() {
        lane_.pc = parameters_.first_task[1];
        lane_.parent = parameters_.first_task[2];
        lane_.slot = parameters_.first_task[3];
#pragma unroll
        for (unsigned i = 0; i < registers; ++i)
            lane_.a[i] = parameters_.first_task[task_words + i];
    }

    __device__ void follow(unsigned first, unsigned lanes) {
        first_ = first;
        lanes_ = lanes;
        lane_.leads = first == number_;
        lane_.leader_distance = (first - number_) * parameters_.chunk;
    }

    // Splits the range at the calls of the frame that ends at `top`. Part 0 goes on with the stack above it. Returns
    // false, and changes nothing, if there are more calls than lanes, if they are elements of a walk, or if there is
    // too little room.
    __device__ bool divide(unsigned top) {
        unsigned const parts = lane_.shared_calls(top) + 1;
        if (parts == 1 || parts > lanes_ || !lane_.has_room_for_cell(top))
            return false;
        unsigned const mine = number_ - first_;
        unsigned part = 0;
        while (begin_of(part + 1, parts) <= mine)
            ++part;
        unsigned const begin = begin_of(part, parts);
        unsigned const lanes = begin_of(part + 1, parts) - begin;
        Choose choose = {};
        choose.wanted = part;
        lane_.split(top, choose);
        if (part != 0) {
            lane_.clear_stack(1);
            lane_.pc = choose.pc;
            lane_.parent = choose.parent;
            lane_.slot = choose.slot;
#pragma unroll
            for (unsigned i = 0; i < registers; ++i)
                lane_.a[i] = choose.arguments[i];
        }
        follow(first_ + begin, lanes);
        return true;
    }
    __device__ unsigned begin_of(unsigned part, unsigned parts) const {
        return static_cast<unsigned>(static_cast<unsigned long long>(lanes_) * part / parts);
    }

    Parameters const& parameters_;
    RampLane& lane_;
    unsigned number_;
    unsigned first_ = 0;  // first lane of the range
    unsigned lanes_;      // in the range
};

// The kernel.
template <class Program>
__device__ __forceinline__ void ramp(Parameters const& parameters) {
    auto& counts = shared_memory<Counts<Program::counters, Program::counts_in_shared>>();
    clear_counts<Program>(counts);
    unsigned const lanes = threads_in_block() * blocks_in_grid();
    unsigned const number = block_rank() * threads_in_block() + thread_rank();
    unsigned stack[Program::stack_words];
    Lane<Program, true> lane(parameters, stack, counts);
    lane.restore(number, lanes);
    // Clears what the previous run has left, so that no memset comes before the ramp.
    for (unsigned long long i = number; i < parameters.used_task_words; i += lanes)
        parameters.tasks[i] = 0;
    if (number == 0)
        parameters.results[0] = 0;
    __syncthreads();
    Ramp<Program>(parameters, lane, number).run();
    lane.save(number, lanes);
    __syncthreads();
    add_counts<Program>(counts, parameters.counts);
}

}  // namespace lockstep::term_rewriting::fast::LOCKSTEP_MACHINE
