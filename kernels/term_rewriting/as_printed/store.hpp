#pragma once
// One thread's view of the columns: the store that generated steps use (kernels/term_rewriting/generate_cuda.hpp).
// Section 3 and Listings 5 and 6 of the paper.
//
// Why a pass has no data race, for a thread whose term `tid` has subterms that are normal in nf_read:
//   - The columns of a normal term never change while any term refers to it, so subterms can be read directly.
//   - hss, arguments, nf and last_checked of a slot are written by the slot's own thread, or by the one thread that got
//     the index. In the latter case the slot's own thread does nothing in that pass: a fresh slot has no thread
//     (tid >= n), and a freed slot is marked as free in refcounts_read.
//   - nf_read and refcounts_read are written only between passes, so new terms become visible in the next pass.
//   - refcounts are changed by atomics, and no decision within the pass depends on them. Their sums do not depend on
//     the order.
//   - A second step in the same pass (steps_per_pass) reads only subterms that were there and normal before the pass.
//   - Only collect_free_indices writes free_indices between next_free_begin and next_free_end.
//
// S, the settings: Symbol and Last (unsigned types of the columns hss and last_checked), max_made, arity_of(symbol),
// collects, shortcut, aggregates, takes_together, steps_per_pass, counts_rewrites, lists_terms, counts_traffic.

#include "harness/simt/kernel.hpp"
#include "harness/simt/warp.hpp"
#include "kernels/term_rewriting/as_printed/columns.hpp"

namespace lockstep::term_rewriting::as_printed::LOCKSTEP_MACHINE {

using namespace lockstep::simt::LOCKSTEP_MACHINE;

inline constexpr unsigned no_rule = 0xFFFFFFFFu;

template <class S>
class Store {
public:
    using Symbol = typename S::Symbol;
    using Last = typename S::Last;

    __device__ Store(Arguments const& arguments, unsigned tid)
        : a_(arguments), c_(arguments.columns), flags_(arguments.control->flags[blockIdx.x % flag_copies]), tid_(tid) {}

    // Used by the generated steps.

    __device__ unsigned symbol(unsigned term) { return read(static_cast<Symbol*>(c_.hss), term); }
    __device__ unsigned argument(unsigned term, unsigned i) { return read(column(i), term); }

    // Takes the indices that the step will give to new terms (Listing 6). If there are not enough, the step is
    // postponed, and the indices that it did get become garbage.
    template <unsigned count>
    __device__ bool reserve() {
        static_assert(count <= S::max_made, "count exceeds S::max_made");
        bool all = true;
        if constexpr (S::takes_together && count > 0)
            get_new_indices<count>();
        for (unsigned i = 0; i < count; ++i) {
            if constexpr (!S::takes_together)
                indices_[i] = all ? get_new_index() : 0;
            all = all && indices_[i] != 0;
        }
        made_ = 0;
        allocations_ += count;
        if (all)
            return true;
        for (unsigned i = 0; i < count; ++i) {
            if (indices_[i] != 0)
                waste(indices_[i]);
        }
        store_relaxed(&flags_.put_off, 1u);
        return false;
    }

    template <unsigned count>
    __device__ unsigned make(unsigned symbol, unsigned references, unsigned const (&arguments)[count]) {
        unsigned const term = make(symbol, references);
        for (unsigned i = 0; i < count; ++i)
            write(column(i), term, arguments[i]);
        return term;
    }
    __device__ unsigned make(unsigned symbol, unsigned references) {
        unsigned const term = indices_[made_++];
        write_head(term, symbol, references, 0);
        if constexpr (S::lists_terms)
            list(term);
        return term;
    }

    __device__ void refer(unsigned term, unsigned times) {
        if constexpr (S::collects) {
            ++atomics_;
            atomicAdd(&c_.refcounts[term], times);
        }
    }
    __device__ void drop(unsigned term) {
        if constexpr (S::collects) {
            ++atomics_;
            atomicSub(&c_.refcounts[term], 1u);
        }
    }

    template <unsigned count>
    __device__ void become(unsigned term, unsigned symbol, unsigned const (&arguments)[count]) {
        for (unsigned i = 0; i < count; ++i)
            write(column(i), term, arguments[i]);
        become(term, symbol);
    }
    __device__ void become(unsigned term, unsigned symbol) {
        write(static_cast<Symbol*>(c_.hss), term, static_cast<Symbol>(symbol));
        if constexpr (S::shortcut)
            write(static_cast<Last*>(c_.last_checked), term, Last{0});
        became_ = true;
        note_progress();
    }

    template <unsigned count>
    __device__ void become_stuck(unsigned term, unsigned symbol, unsigned const (&arguments)[count]) {
        become(term, symbol, arguments);
        set_normal(term);
    }
    __device__ void become_stuck(unsigned term, unsigned symbol) {
        become(term, symbol);
        set_normal(term);
    }

    // copy_term_args of Listing 5, and the head symbol.
    __device__ void become_copy(unsigned term, unsigned other) {
        unsigned const head = symbol(other);
        unsigned const arity = S::arity_of(head);
        for (unsigned i = 0; i < arity; ++i) {
            unsigned const copied = argument(other, i);
            write(column(i), term, copied);
            refer(copied, 1);
        }
        write(static_cast<Symbol*>(c_.hss), term, static_cast<Symbol>(head));
        set_normal(term);
    }

    __device__ bool compare(unsigned left, unsigned right, bool& equal);

    __device__ void count(unsigned rule) { applied_ = rule; }

    // Used by the kernels.

    __device__ unsigned refcount_read(unsigned term) { return read(c_.refcounts_read, term); }
    __device__ bool normal_read(unsigned term) { return read(c_.nf_read, term) != 0; }
    __device__ void set_normal(unsigned term) {
        write(c_.nf, term, static_cast<unsigned char>(1));
        made_normal_ = true;
        note_progress();
    }

    // Line 7 of Listing 4. Remembers the subterm that was last found not to be normal; those before it are normal.
    __device__ bool subterms_are_normal(unsigned term) {
        unsigned const arity = S::arity_of(symbol(term));
        if (arity == 0)
            return true;
        unsigned i = 0;
        unsigned first = 0;
        if constexpr (S::shortcut)
            first = i = read(static_cast<Last*>(c_.last_checked), term);
        while (i < arity && check(argument(term, i)))
            ++i;
        if constexpr (S::shortcut) {
            if (i < arity && i != first)
                write(static_cast<Last*>(c_.last_checked), term, static_cast<Last>(i));
        }
        return i == arity;
    }

    // Prepares another step of the term in the same pass. Returns false if the last step did not change the term, or
    // made it normal.
    __device__ bool continues() {
        bool const again = became_ && !made_normal_;
        became_ = false;
        applied_ = no_rule;
        continued_ = true;
        return again;
    }

    // Appends the term to the list of the next pass.
    __device__ void list(unsigned term) {
        count_bytes(sizeof(unsigned), false);
        c_.next_listed[take(&a_.control->next_listed.value)] = term;
    }

    // Collects one slot: each subterm loses a reference, and the index is appended to the free list.
    __device__ void collect(unsigned term) {
        unsigned const arity = S::arity_of(symbol(term));
        for (unsigned i = 0; i < arity; ++i)
            drop(argument(term, i));
        write(c_.refcounts, term, free_slot);
        ++allocations_;
        write(c_.free_indices, in_ring(take(&a_.control->next_free_end.value)), term, false);
    }

    __device__ unsigned applied() const { return applied_; }
    __device__ bool made_normal() const { return made_normal_; }
    __device__ Flags& flags() { return flags_; }
    __device__ Arguments const& arguments() const { return a_; }

    // Adds the counts to the host's totals, with one atomic per warp because a pass can have hundreds of millions of
    // threads. Every thread of the block calls it.
    __device__ void report_traffic() {
        if constexpr (S::counts_traffic) {
            report(&a_.control->own_bytes, own_bytes_);
            report(&a_.control->random_bytes, random_bytes_);
            report(&a_.control->random_accesses, random_accesses_);
            report(&a_.control->atomics, atomics_);
            report(&a_.control->checks, checks_);
            report(&a_.control->allocations, allocations_);
        }
    }

    template <class T>
    __device__ T read(T const* array, unsigned slot) {
        count_bytes(sizeof(T), slot == tid_);
        return array[slot];
    }
    template <class T>
    __device__ void write(T* array, unsigned slot, T value, bool can_be_own = true) {
        count_bytes(sizeof(T), can_be_own && slot == tid_);
        array[slot] = value;
    }

private:
    static __device__ void report(Wide* total, Wide count) {
        count = first_lane_sum(count);
        if (lane_id() == 0 && count != 0)
            atomicAdd(total, count);
    }

    __device__ void note_progress() {
        if constexpr (S::counts_rewrites)
            store_relaxed(&flags_.progress, 1u);
    }

    __device__ bool check(unsigned subterm) {
        ++checks_;
        if constexpr (S::steps_per_pass > 1) {
            if (continued_ && !was_there(subterm))
                return false;
        }
        return normal_read(subterm);
    }

    // Returns false for terms of this pass, which lie in fresh or freed slots: nf_read is not theirs.
    __device__ bool was_there(unsigned term) {
        if (term >= a_.n)
            return false;
        if constexpr (S::collects)
            return refcount_read(term) != free_slot;
        return true;
    }

    __device__ unsigned* column(unsigned i) { return c_.arguments + static_cast<Wide>(i) * c_.capacity; }

    // Positions increase past the capacity; the host keeps them below twice the capacity.
    __device__ unsigned in_ring(unsigned position) const {
        return position >= c_.capacity ? position - c_.capacity : position;
    }

    // Increments a counter that all threads share and returns its old value. Uses one atomic per thread or, with
    // S::aggregates, one for the lanes of a warp that execute this together. The result is correct for any set of such
    // lanes, so this is the only place where __activemask() may choose them.
    __device__ unsigned take(unsigned* counter) {
        ++atomics_;
#if defined(__CUDACC__)
        if constexpr (S::aggregates) {
            unsigned const together = __activemask();
            unsigned const before = together & lanes_below(lane_id());
            unsigned first = 0;
            if (before == 0)
                first = atomicAdd(counter, static_cast<unsigned>(__popc(together)));
            return __shfl_sync(together, first, __ffs(together) - 1) + static_cast<unsigned>(__popc(before));
        }
#endif
        return atomicInc(counter, 0xFFFFFFFFu);
    }
    __device__ unsigned take(unsigned* counter, unsigned count) {
        ++atomics_;
        return atomicAdd(counter, count);
    }

    // Listing 6. Returns 0 if no slot is left. next_free_begin passes the end if threads race for the last indices; the
    // host resets it.
    __device__ unsigned get_new_index() {
        if constexpr (S::collects) {
            unsigned const end = a_.control->next_free_end.value;
            if (load_relaxed(&a_.control->next_free_begin.value) < end) {
                unsigned const begin = take(&a_.control->next_free_begin.value);
                if (begin < end) {
                    count_bytes(sizeof(unsigned), false);
                    return c_.free_indices[in_ring(begin)];
                }
            }
        }
        unsigned const fresh = take(&a_.control->next_fresh.value);
        return fresh < c_.capacity - a_.n ? a_.n + fresh : 0;
    }

    // The same for all indices of a step: at most one atomic on the free list and one on the fresh slots.
    template <unsigned count>
    __device__ void get_new_indices() {
        unsigned taken = 0;
        if constexpr (S::collects) {
            unsigned const end = a_.control->next_free_end.value;
            if (load_relaxed(&a_.control->next_free_begin.value) < end) {
                unsigned const begin = take(&a_.control->next_free_begin.value, count);
                for (; taken < count && begin + taken < end; ++taken) {
                    count_bytes(sizeof(unsigned), false);
                    indices_[taken] = c_.free_indices[in_ring(begin + taken)];
                }
            }
        }
        if (taken == count)
            return;
        unsigned const fresh = take(&a_.control->next_fresh.value, count - taken);
        for (unsigned i = taken; i < count; ++i)
            indices_[i] = fresh + (i - taken) < c_.capacity - a_.n ? a_.n + fresh + (i - taken) : 0;
    }

    // Marks an unused index as a slot without a term, which the next pass finds to be garbage.
    __device__ void waste(unsigned term) { write_head(term, S::no_symbol, 0, 1); }

    __device__ void write_head(unsigned term, unsigned symbol, unsigned references, unsigned char normal) {
        write(static_cast<Symbol*>(c_.hss), term, static_cast<Symbol>(symbol));
        write(c_.nf, term, normal);
        if constexpr (S::collects)
            write(c_.refcounts, term, references);
        if constexpr (S::shortcut)
            write(static_cast<Last*>(c_.last_checked), term, Last{0});
    }

    __device__ void count_bytes(unsigned bytes, bool own) {
        if constexpr (S::counts_traffic) {
            (own ? own_bytes_ : random_bytes_) += bytes;
            random_accesses_ += own ? 0 : 1;
        }
    }

    Arguments const& a_;
    Columns const& c_;
    Flags& flags_;
    unsigned const tid_;
    unsigned indices_[S::max_made + 1];
    unsigned made_ = 0;
    unsigned applied_ = no_rule;
    bool made_normal_ = false;
    bool became_ = false;
    bool continued_ = false;  // this is not the first step of the term in this pass
    unsigned atomics_ = 0;
    unsigned checks_ = 0;
    unsigned allocations_ = 0;
    unsigned random_accesses_ = 0;
    Wide own_bytes_ = 0;
    Wide random_bytes_ = 0;
};

}  // namespace lockstep::term_rewriting::as_printed::LOCKSTEP_MACHINE
