#pragma once
// Two other orders of the same passes, to test what the paper says of them without measuring it.
//
// Redexes by head symbol ("reducing branch divergence will probably not yield significant performance increase",
// Section 4): select looks at every slot as derive does, but only lists the redexes and counts them by symbol;
// sort_by_symbol moves the list so that the lanes of a warp rewrite the same symbol; derive_listed rewrites.
//
// A worklist ("having thousands of threads together maintaining such a queue is typically a major source for memory
// contention", Section 3): derive_worklist looks at listed terms alone, and lists again those that are not normal, and
// the new ones, by one atomic each.

#include "kernels/term_rewriting/as_printed/derive.hpp"

namespace lockstep::term_rewriting::as_printed::LOCKSTEP_MACHINE {

// Counts the calling lane under its `key`, by one atomic per key and warp. Returns the lane's index among those of its
// key. All lanes of the warp call it; the value is meaningless in lanes that are not `active`.
__device__ inline unsigned take_index(unsigned* counters, unsigned key, bool active) {
    unsigned const same = __match_any_sync(full_warp, active ? key : 0xFFFFFFFFu);
    int const leader = __ffs(static_cast<int>(same)) - 1;
    unsigned first = 0;
    if (active && lane_id() == static_cast<unsigned>(leader))
        first = atomicAdd(&counters[key], static_cast<unsigned>(__popc(same)));
    first = __shfl_sync(full_warp, first, leader);
    return first + rank_in(same);
}

// True where the slot holds a redex, or a term that is normal because nothing rewrites its symbol.
template <class S>
__device__ bool is_candidate(Store<S>& store, unsigned tid) {
    if constexpr (S::collects) {
        unsigned const refcount = store.refcount_read(tid);
        if (refcount == 0)
            store_relaxed(&store.flags().garbage_collecting, 1u);
        if (refcount == 0 || refcount == free_slot)
            return false;
    }
    if (store.normal_read(tid))
        return false;
    store_relaxed(&store.flags().done, 0u);
    return store.subterms_are_normal(tid);
}

template <class S>
__device__ void select(Arguments const& arguments) {
    unsigned const tid = blockIdx.x * blockDim.x + threadIdx.x;
    Store<S> store(arguments, tid);
    bool listed = tid != 0 && tid < arguments.n && is_candidate(store, tid);
    unsigned const symbol = listed ? store.symbol(tid) : 0;
    if (listed && !S::defined(symbol)) {
        store.set_normal(tid);
        listed = false;
    }
    unsigned const index = take_index(&arguments.control->next_listed.value, 0, listed);
    if (listed)
        arguments.columns.listed[index] = tid;
    take_index(arguments.bins, symbol, listed);
    store.report_traffic();
}

// `bins` are the indices at which each symbol's part begins.
template <class S>
__device__ void sort_by_symbol(Arguments const& arguments) {
    unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
    bool const active = i < arguments.listed;
    unsigned const tid = active ? arguments.columns.listed[i] : 0;
    Store<S> store(arguments, tid);
    unsigned const index = take_index(arguments.bins, active ? store.symbol(tid) : 0, active);
    if (active)
        arguments.columns.next_listed[index] = tid;
    store.report_traffic();
}

template <class S>
__device__ void derive_listed(Arguments const& arguments) {
    unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
    bool const active = i < arguments.listed;
    unsigned const tid = active ? arguments.columns.next_listed[i] : 0;
    Store<S> store(arguments, tid);
    if (active && !S::step(store, tid))
        store.set_normal(tid);
    count_applications(store, S::rules);
    store.report_traffic();
}

template <class S>
__device__ void derive_worklist(Arguments const& arguments) {
    unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
    bool const active = i < arguments.listed;
    unsigned const tid = active ? arguments.columns.listed[i] : 0;
    Store<S> store(arguments, tid);
    if (active) {
        if (store.subterms_are_normal(tid) && !S::step(store, tid))
            store.set_normal(tid);
        // A rewritten term may have become a copy of a normal one.
        if (!store.made_normal())
            store.list(tid);
    }
    count_applications(store, S::rules);
    store.report_traffic();
}

// The first worklist: every slot of the input.
template <class S>
__device__ void list_all(Arguments const& arguments) {
    unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < arguments.listed)
        arguments.columns.listed[i] = i + 1;
}

}  // namespace lockstep::term_rewriting::as_printed::LOCKSTEP_MACHINE
