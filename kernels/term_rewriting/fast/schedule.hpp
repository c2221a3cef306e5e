#pragma once
// Work sharing for the lanes of the engine `fast`. A block works in rounds: every lane takes a few turns, and then idle
// lanes get work from busy ones. The work is the later calls of the oldest frame of a stack, which tend to be the
// largest, and the stacks with most such frames give first. Blocks share through one queue. Work is shared only on
// demand. With `warps_first`, as long as most lanes wait, a block passes on all calls but one per idle warp, and rounds
// are short while anyone has a call. Once half of all lanes are busy, calls that seem small are not shared: sharing a
// call costs a cell, an atomic and two fences, more than evaluating a small call.

#include "kernels/term_rewriting/fast/collectives.hpp"
#include "kernels/term_rewriting/fast/tasks.hpp"

namespace lockstep::term_rewriting::fast::LOCKSTEP_MACHINE {

template <class Program>
struct SharedMemory {
    Counts<Program::counters, Program::counts_in_shared> counts;
    typename Tasks<Program>::Inside tasks;
    OfEachWarp<unsigned long long> sums;
    OfEachWarp<unsigned> largest;
    Shared<unsigned> state;
    Shared<unsigned> blocks;  // blocks that take part
    Shared<unsigned> available;
    Shared<unsigned> waiting;
    Shared<unsigned> taken;
    Shared<unsigned> tail;
    Shared<unsigned> head;
    Shared<unsigned> got;
    Shared<unsigned> over;  // nonzero: a warp has ended its turns of the round
};

template <class Program>
class Scheduler {
public:
    static_assert(sizeof(SharedMemory<Program>) <= shared_bytes(Program::counters, Program::registers),
                  "shared_bytes() is too small");
    static constexpr unsigned registers = Program::registers;

    __device__ Scheduler(Parameters const& parameters, SharedMemory<Program>& shared, Lane<Program>& lane)
        : parameters_(parameters),
          control_(parameters.control),
          shared_(shared),
          lane_(lane),
          tasks_(parameters, shared.tasks, lane) {}

    // Runs until the kernel has to end.
    __device__ void run() {
        observe();
        // The host published the lanes of the first blocks as waiting.
        if (block_rank() >= parameters_.first_blocks)
            wait_to_be_called();
        else if (parameters_.begins != 0 && parameters_.waiting_published != 0)
            waiting_ = threads_in_block();
        for (unsigned round = 0;; ++round) {
            unsigned const idle = static_cast<unsigned>(__syncthreads_count(lane_.pc == pc_idle));
            // A block with tasks that begins when others have ended takes turns once, so that no task starves. One
            // without takes none: it would keep them from the others until the next launch.
            if (shared_.state != state_running && (round != 0 || idle == threads_in_block()))
                break;
            ++rounds_;
            watch_clock();
            // Before the first warp of this round can end its turns, because share_work() has a barrier.
            if (Program::ends_after != 0 && thread_rank() == 0)
                shared_.over = 0;
            unsigned const left = share_work(idle);
            call_others();
            if (left == threads_in_block())
                __nanosleep(500);
            if (thread_rank() == 0 && round == parameters_.slice_rounds)
                atomicMax(&control_->state, static_cast<unsigned>(state_slice_over));
            // No barrier is needed here, so warps that have nothing to exchange go on. Words of shared memory that
            // others may still read or write in Tasks::exchange(): `tasks`, which is written after the next round's
            // barriers; and those that share_work() copied to registers before its last barrier. What observe() writes
            // next, share_work() reads before a barrier of its own; largest, sums, taken, tail, head and got are
            // written behind the barrier at the top of the next round; and `over` is only accessed by atomics until
            // then.
            observe();
            take_turns(turns_of_round());
            if (round % parameters_.age_rounds == 0) {
                outlived_ = lowest_;
                lowest_ = lane_.sp;
            }
        }
        wait_for(0);
        record_counts();
    }

private:
    // Passes calls on in order: first to this block's idle lanes, then to the queue. Not a lambda, because NVRTC
    // accepts no generic one in a function that is not called from a kernel of the same namespace.
    struct PushTask {
        Scheduler& scheduler;
        unsigned next;
        unsigned inside;  // number of calls for lanes of this block
        unsigned kept;    // number of calls that shared memory keeps; the block moves those for others to the queue
        unsigned tail;

        template <class Argument>
        __device__ void operator()(unsigned cell, unsigned pc, unsigned slot, Argument const& argument) {
            if (next < kept)
                scheduler.tasks_.write_inside(next, cell, pc, slot, argument);
            else
                scheduler.tasks_.write_outside(tail + next - inside, cell, pc, slot, argument);
            ++next;
        }
    };

    // Work for a very short run spreads to some blocks sooner than to all, and its end is detected sooner. Longer work
    // is done faster by all blocks. So the other blocks start once the first ones have been busy for some rounds. Until
    // then they poll a few words.
    __device__ void wait_to_be_called() {
        while (true) {
            __syncthreads();
            if (shared_.state != state_running || shared_.blocks > parameters_.first_blocks)
                break;
            __nanosleep(2000);
            __syncthreads();
            observe();
        }
        __syncthreads();
    }
    __device__ void call_others() {
        busy_rounds_ = 16 * all_waiting_ > blocks_ * threads_in_block() ? 0 : busy_rounds_ + 1;
        if (thread_rank() == 0 && busy_rounds_ == parameters_.busy_rounds)
            store_relaxed(&control_->all_take_part, 1u);
    }

    // Returns the number of turns in the round. Until half of all lanes have been busy, rounds are short, so that work
    // spreads. After that, the fewer lanes wait, the longer a round is.
    __device__ unsigned turns_of_round() const {
        unsigned const lanes = blocks_ * threads_in_block();
        if (narrow_)
            return spreads_ ? parameters_.turns_spreading : parameters_.turns_narrow;
        if (!was_busy_ && (spreads_ || rounds_with_work_ < 4))
            return parameters_.turns_startup;
        if (spreads_ && 2 * all_waiting_ > lanes)
            return parameters_.turns_spreading;
        if (16 * all_waiting_ > lanes)
            return parameters_.turns_steady;
        return busy_rounds_ < 2 * parameters_.busy_rounds ? parameters_.turns_busy : parameters_.turns_saturated;
    }

    // How long nearly all lanes have waited. One thread of the grid measures it.
    __device__ void watch_clock() {
        if (block_rank() != 0 || thread_rank() != 0)
            return;
        unsigned long long const now = clock_ticks();
        if (began_ == 0)
            began_ = now;
        else if (all_waiting_ >= blocks_ * threads_in_block() / 8 * 7)
            idle_ticks_ += now - last_;
        last_ = now;
    }

    // One thread reads for the block. The others see the values after the next barrier.
    __device__ void observe() {
        if (thread_rank() == 0) {
            // All loads come before the first use of a value, so that the thread waits once.
            unsigned const state = load_relaxed(&control_->state);
            unsigned const stop = load_relaxed(parameters_.stop);
            int const available = load_relaxed(&control_->available);
            int const waiting = load_relaxed(&control_->waiting);
            unsigned const all_take_part = load_relaxed(&control_->all_take_part);
            shared_.state = stop != 0 && state == state_running ? state_slice_over : state;
            shared_.available = available < 0 ? 0u : static_cast<unsigned>(available);
            shared_.waiting = waiting < 0 ? 0u : static_cast<unsigned>(waiting);
            shared_.blocks = all_take_part != 0 ? blocks_in_grid() : parameters_.first_blocks;
        }
    }

    // Returns true if this lane's program counter is the one that most lanes of the warp have. A lane gains a
    // thirty-second of a vote per turn that it waits, so no lane waits forever.
    __device__ __forceinline__ bool elected(bool busy) {
        unsigned const votes = static_cast<unsigned>(__popc(__match_any_sync(full_warp, lane_.pc)));
        unsigned const weight = 32 * votes + (age_ < 0x7fff ? age_ : 0x7fff);
        return lane_.pc == (__reduce_max_sync(full_warp, busy ? weight << 16 | lane_.pc : 0) & pc_mask);
    }

    __device__ __forceinline__ void take_turns(unsigned turns) {
        unsigned lowest = lane_.sp;
        lane_.offers = false;
        unsigned turn = 0;
        for (; turn < turns; ++turn) {
            if (Program::ends_after != 0 && turn >= Program::ends_after && turn % 8 == 0 && round_is_over())
                break;
            // While lanes wait, a lane with many elements to hand out does so before it goes on.
            bool const busy = lane_.pc != pc_idle && !(Program::walks && narrow_ && lane_.offers);
            bool mine = busy;
            if constexpr (Program::votes) {
                bool const is_elected = elected(busy);
                mine = busy && is_elected;
                age_ = mine ? 0 : age_ + 1;
            }
            unsigned const taking = count_of(mine);
            if (taking == 0)
                break;
            ++warp_turns_;
            lane_turns_ += mine ? 1 : 0;
            take_steps(mine, taking, lowest);
        }
        if (Program::ends_after != 0 && turn != 0 && lane_id() == 0)
            atomicExch(&shared_.over, 1u);
        lowest_ = lowest < lowest_ ? lowest : lowest_;
        outlived_ = lowest < outlived_ ? lowest : outlived_;
    }

    // Warps do not take equally long for their turns. Once one has ended its turns, or its work, the others take few
    // more, so that they do not wait for the slowest one at the next barrier.
    __device__ __forceinline__ bool round_is_over() {
        return __any_sync(full_warp, lane_id() == 0 && atomicAdd(&shared_.over, 0u) != 0);
    }

    // A function that calls itself last stays at its program counter, and needs no election for that. If most lanes of
    // the turn leave it, the others wait for them, because a step takes as long for one lane as for all.
    __device__ __forceinline__ void take_steps(bool mine, unsigned taking, unsigned& lowest) {
        unsigned const pc = lane_.pc;
        // Not unrolled, because the step is most of the kernel's text.
#pragma unroll 1
        for (unsigned repeat = 1;; ++repeat) {
            if (mine) {
                Program::step(lane_);
                if (lane_.full)
                    make_stack_room();
                lowest = lane_.sp < lowest ? lane_.sp : lowest;
            }
            if (Program::repeats == 1 || repeat == Program::repeats)
                break;
            mine = mine && lane_.pc == pc && !(Program::walks && lane_.offers);
            if (2 * count_of(mine) <= taking)
                break;
        }
    }
    __device__ static unsigned count_of(bool lanes) {
        return static_cast<unsigned>(__popc(__ballot_sync(full_warp, lanes)));
    }

    // Called when the stack is full. Its oldest calls are the most work, so they are offered to others if possible. A
    // cell in the heap would hide them.
    __device__ void make_stack_room() {
        if (offer_oldest())
            return;
        lane_.spill();
        ++spills_;
    }

    __device__ bool offer_oldest() {
        typename Lane<Program>::Groups const groups = lane_.groups();
        unsigned const top = groups.oldest;
        if (top == 0 || !lane_.room_for_cell(top))
            return false;
        unsigned const calls = lane_.calls_of(groups, Program::stack_words);
        unsigned tail = load_relaxed(&control_->tail);
        while (true) {
            // Half of the queue is reserved for calls that idle lanes wait for.
            if (tail - load_relaxed(&control_->head) + calls > parameters_.task_mask / 2)
                return false;
            unsigned const seen = atomicCAS(&control_->tail, tail, tail + calls);
            if (seen == tail)
                break;
            tail = seen;
        }
        ++splits_;
        lane_.full = false;
        PushTask push = {*this, 0, 0, 0, tail};
        lane_.give_away(top, calls, push);
        atomicAdd(&control_->available, static_cast<int>(calls));
        return true;
    }

    // Gives available work to the idle lanes of this block and of others. Returns the number of lanes that stay idle.
    __device__ unsigned share_work(unsigned idle) {
        unsigned const seen = shared_.available;
        unsigned const waiting = shared_.waiting;
        all_waiting_ = waiting;
        blocks_ = shared_.blocks;
        rounds_with_work_ = idle == threads_in_block() ? 0 : rounds_with_work_ + 1;
        // This block's share of the idle lanes elsewhere for which the queue has no task yet.
        unsigned elsewhere = waiting > waiting_ + seen ? waiting - waiting_ - seen : 0;
        if (parameters_.few_waiting != 0) {
            unsigned const lanes = blocks_ * threads_in_block();
            was_busy_ = was_busy_ || 2 * waiting < lanes;  // min_groups() is not reached if nothing is to be shared
            if (elsewhere * parameters_.few_waiting < lanes)
                elsewhere = 0;
        }
        unsigned const share = (elsewhere + blocks_ - 1) / blocks_;
        narrow_ = Program::warps_first && waiting >= blocks_ * threads_in_block() / 8 * 7;
        unsigned const for_others = share < max_given ? share : max_given;
        if (idle + for_others == 0) {
            wait_for(0);
            spreads_ = false;
            __syncthreads();  // before observe() writes what was read above
            return 0;
        }
        unsigned const needed_groups = min_groups(waiting);
        bool const is_idle = lane_.pc == pc_idle;
        typename Lane<Program>::Groups groups = {0, 0, 0};
        if (lane_.pc > pc_deliver)
            groups = lane_.groups();
        unsigned const top = groups.oldest;
        // More frames with calls to share mean more work; in a tree each frame doubles it. Old frames are large too.
        bool const large = groups.count >= needed_groups || top <= outlived_;
        unsigned const max_groups = largest_in_block(shared_.largest, large ? groups.count : 0);
        unsigned calls = 0;
        if (large && groups.count != 0 && lane_.room_for_cell(top))
            calls = lane_.calls_of(groups, idle + for_others);
        // If not all calls are wanted, the stacks with most such frames give theirs.
        bool const preferred = 2 * groups.count > max_groups;
        // While most lanes are busy, a warp with some idle lanes gets work for all of them, because its turns are not
        // longer for that.
        bool const idle_warps_first = Program::warps_first && 2 * waiting >= blocks_ * threads_in_block();
        BlockRanks ranks = rank_in_block(shared_.sums, is_idle, calls, preferred ? calls : 0, idle_warps_first);
        // A lane of a warp that has work is the last to get a call while other warps and blocks have none.
        unsigned const max_inside = narrow_ && for_others != 0 ? ranks.idle_warps : idle;
        unsigned const wanted = max_inside + for_others;
        bool const any_calls = ranks.calls != 0;
        if (ranks.calls > wanted) {
            calls = preferred ? calls : 0;
            ranks.calls_before = ranks.preferred_before;
            ranks.calls = ranks.preferred;
        }
        // Calls go to this block's own lanes first, then to other blocks.
        bool const splits = calls != 0 && ranks.calls_before < wanted;
        if (thread_rank() == 0 && ranks.calls <= wanted)
            shared_.taken = ranks.calls;
        if (splits && ranks.calls > wanted && ranks.calls_before + calls >= wanted)
            shared_.taken = ranks.calls_before + calls;
        __syncthreads();
        unsigned const taken = shared_.taken;
        unsigned const outside = taken > max_inside ? taken - max_inside : 0;
        unsigned const inside = taken - outside;
        // In two warps, which do not wait for each other's atomics.
        if (thread_rank() == 0)
            shared_.tail = outside == 0 ? 0 : atomicAdd(&control_->tail, outside);
        if (thread_rank() == threads_in_block() - 1)
            shared_.got = take_tasks(idle - inside, seen, waiting);
        __syncthreads();
        unsigned const tail = shared_.tail;
        unsigned const got = shared_.got;
        unsigned const head = got == 0 ? 0 : static_cast<unsigned>(shared_.head);
        unsigned const kept = taken < max_threads ? taken : max_threads;
        if (splits) {
            PushTask push = {*this, ranks.calls_before, inside, kept, tail};
            ++splits_;
            lane_.give_away(top, calls, push);
        }
        __syncthreads();
        if (is_idle && ranks.place < inside)
            tasks_.read_inside(ranks.place);
        bool const takes = is_idle && ranks.place >= inside && ranks.place < inside + got;
        tasks_.exchange(inside, kept, tail, takes, head + ranks.place - inside);
        if (is_idle && ranks.place < inside + got)
            lowest_ = outlived_ = 1;
        if (thread_rank() == 0 && outside != 0)
            atomicAdd(&control_->available, static_cast<int>(outside));
        unsigned const busy = threads_in_block() - idle;
        spreads_ = narrow_ ? any_calls : 2 * ranks.calls >= busy;
        wait_for(idle - inside - got);
        return idle - inside - got;
    }

    // Returns the number of frames with calls to share that a stack needs before it gives any. One is enough until half
    // of all lanes have been busy. After that, the more lanes wait, the fewer frames are needed.
    __device__ unsigned min_groups(unsigned waiting) {
        unsigned const lanes = blocks_ * threads_in_block();
        was_busy_ = was_busy_ || 2 * waiting < lanes;
        if (!was_busy_ || waiting >= lanes / 8 * 7)
            return 1;
        return waiting >= lanes / 2 ? 2 : waiting >= lanes / 4 ? 3 : parameters_.min_groups;
    }

    // Publishes the number of lanes of this block that wait. Every thread calls it.
    __device__ void wait_for(unsigned lanes) {
        if (lanes != waiting_ && thread_rank() == 0)
            atomicAdd(&control_->waiting, static_cast<int>(lanes - waiting_));
        waiting_ = lanes;
    }

    // Takes tasks from the queue for at most `wanted` lanes. Returns their number; the first is at shared_.head. A
    // block takes only its share, so that even a few tasks reach many blocks. One thread per block calls it.
    __device__ unsigned take_tasks(unsigned wanted, unsigned seen, unsigned waiting) {
        unsigned share = seen < waiting ? seen / blocks_ : wanted;
        share = share == 0 ? 1 : share;
        share = share < wanted ? share : wanted;
        share = share < seen ? share : seen;
        if (share == 0)
            return 0;
        int const before = atomicSub(&control_->available, static_cast<int>(share));
        unsigned const present = before < 0 ? 0 : static_cast<unsigned>(before);
        unsigned const got = present < share ? present : share;
        if (got < share)
            atomicAdd(&control_->available, static_cast<int>(share - got));
        if (got != 0)
            shared_.head = atomicAdd(&control_->head, got);
        return got;
    }

    // Adds one sum per block. Atomics of every lane on one word would take a noticeable part of a short run.
    __device__ void record_counts() {
        add_sum(&control_->warp_turns, lane_id() == 0 ? warp_turns_ : 0);
        add_sum(&control_->lane_turns, lane_turns_);
        add_sum(&control_->splits, splits_);
        add_sum(&control_->spills, spills_);
        add_sum(&control_->rounds, thread_rank() == 0 ? rounds_ : 0);
        if (block_rank() == 0 && thread_rank() == 0) {
            control_->ticks += last_ - began_;
            control_->idle_ticks += idle_ticks_;
        }
        // How work spread: turns of the warp with the most, and the blocks and warps that had any.
        unsigned const longest = largest_in_block(shared_.largest, static_cast<unsigned>(warp_turns_));
        if (thread_rank() == 0 && longest != 0) {
            atomicMax(&control_->longest, longest);
            atomicAdd(&control_->blocks_with_work, 1ull);
        }
        add_sum(&control_->warps_with_work, lane_id() == 0 && warp_turns_ != 0 ? 1 : 0);
    }
    __device__ void add_sum(unsigned long long* measure, unsigned long long value) {
        unsigned long long const sum = sum_in_first_thread(shared_.sums, value);
        if (sum != 0)
            atomicAdd(measure, sum);
        __syncthreads();
    }

    Parameters const& parameters_;
    Control* control_;
    SharedMemory<Program>& shared_;
    Lane<Program>& lane_;
    Tasks<Program> tasks_;
    bool spreads_ = false;   // the calls to share were at least half as many as the busy lanes
    bool narrow_ = false;    // nearly all lanes wait
    bool was_busy_ = false;  // half of all lanes have been busy
    unsigned blocks_ = 1;    // blocks that take part
    unsigned rounds_with_work_ = 0;
    unsigned busy_rounds_ = 0;  // consecutive rounds in which nearly all lanes were busy
    unsigned age_ = 0;          // turns since the lane's last step
    unsigned waiting_ = 0;      // published number of waiting lanes in this block
    unsigned all_waiting_ = 0;  // waiting lanes in all blocks, as last read
    // Lowest end of the stack since the current age began, and since the previous one began. Frames below it are at
    // least that old.
    unsigned lowest_ = 1;
    unsigned outlived_ = 1;
    unsigned long long began_ = 0, last_ = 0, idle_ticks_ = 0;  // on clock_ticks()
    unsigned long long warp_turns_ = 0, lane_turns_ = 0, splits_ = 0, spills_ = 0, rounds_ = 0;
};

// The kernel. Every lane restores what it saved; in the first launch all lanes are idle.
template <class Program>
__device__ __forceinline__ void rewrite(Parameters const& parameters) {
    auto& shared = shared_memory<SharedMemory<Program>>();
    clear_counts<Program>(shared.counts);
    unsigned const lanes = threads_in_block() * blocks_in_grid();
    unsigned const number = block_rank() * threads_in_block() + thread_rank();
    unsigned stack[Program::stack_words];
    Lane<Program> lane(parameters, stack, shared.counts);
    lane.restore(number, lanes);
    Scheduler<Program>(parameters, shared, lane).run();
    lane.save(number, lanes);
    __syncthreads();
    add_counts<Program>(shared.counts, parameters.counts);
}

}  // namespace lockstep::term_rewriting::fast::LOCKSTEP_MACHINE
