#pragma once
// What a lane of the engine `fast` uses of the heap and of the block: granules and the terms in them, and counters of
// rules.

#include "harness/simt/kernel.hpp"
#include "kernels/term_rewriting/fast/layout.hpp"

namespace lockstep::term_rewriting::fast::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

// Rule counters of the block. Programs with many counters use global memory instead.
template <unsigned counters, bool in_shared>
struct Counts {
    SharedArray<unsigned, counters> counts;
};
template <unsigned counters>
struct Counts<counters, false> {};

// Every thread of the block calls these. A barrier separates them from other uses of the counters.
template <class Program>
__device__ inline void clear_counts(Counts<Program::counters, Program::counts_in_shared>& counts) {
    if constexpr (Program::counts_in_shared) {
        for (unsigned i = thread_rank(); i < Program::counters; i += threads_in_block())
            counts.counts[i] = 0;
    }
}
template <class Program>
__device__ inline void add_counts(Counts<Program::counters, Program::counts_in_shared>& counts,
                                  unsigned long long* sums) {
    if constexpr (Program::counts_in_shared) {
        for (unsigned i = thread_rank(); i < Program::counters; i += threads_in_block()) {
            unsigned const count = counts.counts[i];
            if (count != 0)
                atomicAdd(&sums[i], static_cast<unsigned long long>(count));
        }
    }
}

// Allocates `granules` granules and returns the first one, or 0 if there are too few. Not inlined: most steps contain
// such a call, and longer code costs instruction fetches.
LOCKSTEP_NOINLINE __device__ inline unsigned take_chunk(Control* control, unsigned long long heap_end,
                                                        unsigned granules) {
    unsigned long long const at = atomicAdd(&control->next, static_cast<unsigned long long>(granules));
    if (at + granules > heap_end) {
        atomicMax(&control->state, static_cast<unsigned>(state_no_memory));
        return 0;
    }
    return static_cast<unsigned>(at);
}

// The heap, and the granules that one lane has taken of it.
template <class Program>
class Granules {
public:
    __device__ explicit Granules(Parameters const& parameters)
        : heap_(reinterpret_cast<uint4*>(parameters.heap)), parameters_(parameters) {}

    __device__ __forceinline__ uint4 look(unsigned term) const {
        return term < Program::symbols ? make_uint4(term, 0, 0, 0) : heap_[term];
    }
    __device__ __forceinline__ unsigned argument(unsigned term, unsigned i) const { return word(term, 1 + i); }
    // Number of granules that the lane has without asking for more, and the end of these.
    __device__ unsigned free_granules() const { return end_ - at_; }
    __device__ unsigned end_of_granules() const { return end_; }
    // Makes sure that take() can return `granules` granules. Returns false if there is no memory for them.
    __device__ __forceinline__ bool room(unsigned granules) { return end_ - at_ >= granules || more_room(granules); }
    __device__ __forceinline__ unsigned take(unsigned granules) {
        unsigned const taken = at_;
        at_ += granules;
        return taken;
    }
    __device__ __forceinline__ void put(unsigned granule, unsigned x, unsigned y, unsigned z, unsigned w) {
        heap_[granule] = make_uint4(x, y, z, w);
    }
    __device__ __forceinline__ void store(unsigned node, unsigned i, unsigned value) { set_word(node, i, value); }

protected:
    __device__ __forceinline__ unsigned* words() const { return reinterpret_cast<unsigned*>(heap_); }
    __device__ __forceinline__ unsigned word(unsigned term, unsigned i) const { return words()[4ull * term + i]; }
    __device__ __forceinline__ void set_word(unsigned term, unsigned i, unsigned value) {
        words()[4ull * term + i] = value;
    }

    __device__ __forceinline__ bool more_room(unsigned granules) {
        unsigned const wanted = granules > parameters_.chunk ? granules : parameters_.chunk;
        unsigned const at = take_chunk(parameters_.control, parameters_.heap_end, wanted);
        if (at == 0)
            return false;
        at_ = at;
        end_ = at + wanted;
        return true;
    }

    __device__ __forceinline__ bool is_pending(unsigned term) const {
        return term >= Program::symbols && (word(term, 0) & pending_mark) != 0;
    }
    // Returns the first argument from `i` on that has something to evaluate, or `arity` if there is none.
    __device__ __forceinline__ unsigned next_pending(unsigned term, unsigned i, unsigned arity) const {
        while (i < arity && !is_pending(argument(term, i)))
            ++i;
        return i;
    }

    uint4* heap_;
    unsigned at_ = 0;  // the lane's free granules are at_ .. end_ - 1
    unsigned end_ = 0;
    Parameters const& parameters_;
};

}  // namespace lockstep::term_rewriting::fast::LOCKSTEP_MACHINE
