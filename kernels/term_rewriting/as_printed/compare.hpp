#pragma once
// Compares two normal forms as trees, with one thread. A short comparison needs no memory. A long one records the pairs
// that it has seen, so that shared terms do not take exponential time. The memory for them comes from a pool that all
// threads share and that is reset between passes.

#include "kernels/term_rewriting/as_printed/store.hpp"

namespace lockstep::term_rewriting::as_printed::LOCKSTEP_MACHINE {

enum class Compared { equal, different, no_memory };

template <class S>
class Comparison {
public:
    __device__ explicit Comparison(Store<S>& store) : store_(store) {}

    __device__ Compared run(unsigned left, unsigned right) {
        push(left, right);
        for (unsigned steps = 0; size_ != 0; ++steps) {
            Wide const pair = stack()[--size_];
            auto const a = static_cast<unsigned>(pair >> 32);
            auto const b = static_cast<unsigned>(pair);
            unsigned const head = store_.symbol(a);
            if (head != store_.symbol(b))
                return Compared::different;
            unsigned const arity = S::arity_of(head);
            if (steps >= long_comparison && arity != 0) {
                if (memory_ == nullptr && !grow())
                    return Compared::no_memory;
                if (!insert(set(), pair))
                    continue;
                if (2 * ++seen_ > half_ && !grow())
                    return Compared::no_memory;
            }
            for (unsigned i = arity; i > 0; --i) {
                if (!push(store_.argument(a, i - 1), store_.argument(b, i - 1)))
                    return Compared::no_memory;
            }
        }
        return Compared::equal;
    }

private:
    static constexpr unsigned long_comparison = 1000;
    static constexpr unsigned short_stack = 32;
    static constexpr Wide first_half = 2048;

    // The first half of the memory is the stack, the second half is the set.
    __device__ Wide* stack() { return memory_ == nullptr ? local_ : memory_; }
    __device__ Wide* set() { return memory_ + half_; }

    __device__ bool push(unsigned left, unsigned right) {
        if (left == right)
            return true;
        if (size_ == (memory_ == nullptr ? short_stack : half_) && !grow())
            return false;
        stack()[size_++] = static_cast<Wide>(left) << 32 | right;
        return true;
    }

    // Doubles the memory and copies its contents. Returns false if the pool is exhausted.
    __device__ bool grow() {
        Wide const half = memory_ == nullptr ? first_half : 2 * half_;
        Arguments const& arguments = store_.arguments();
        Wide const begin = atomicAdd(&arguments.control->comparison_next.value, 2 * half);
        if (begin + 2 * half > arguments.comparison_words)
            return false;
        Wide* const fresh = arguments.comparison_memory + begin;
        for (Wide i = 0; i < size_; ++i)
            fresh[i] = stack()[i];
        for (Wide i = 0; i < half; ++i)
            fresh[half + i] = 0;
        Wide* const old = memory_;
        Wide const old_half = half_;
        memory_ = fresh;
        half_ = half;
        for (Wide i = 0; old != nullptr && i < old_half; ++i) {
            if (old[old_half + i] != 0)
                insert(set(), old[old_half + i]);
        }
        return true;
    }

    // Returns false if the set already contains the pair. An empty entry is 0; no pair is 0, because no slot is.
    __device__ bool insert(Wide* table, Wide pair) {
        Wide at = (pair * 0x9e3779b97f4a7c15ull) >> 32;
        for (;; ++at) {
            Wide& entry = table[at & (half_ - 1)];
            if (entry == pair)
                return false;
            if (entry == 0) {
                entry = pair;
                return true;
            }
        }
    }

    Store<S>& store_;
    Wide local_[short_stack];
    Wide* memory_ = nullptr;
    Wide half_ = 0;
    Wide size_ = 0;
    Wide seen_ = 0;
};

template <class S>
__device__ bool Store<S>::compare(unsigned left, unsigned right, bool& equal) {
    Compared const compared = Comparison<S>(*this).run(left, right);
    equal = compared == Compared::equal;
    if (compared == Compared::no_memory)
        store_relaxed(&flags_.comparing, 1u);
    return compared != Compared::no_memory;
}

}  // namespace lockstep::term_rewriting::as_printed::LOCKSTEP_MACHINE
