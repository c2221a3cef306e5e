#pragma once
// derive (Listing 4) and collect_free_indices: one thread per slot. derive is launched over all slots in every pass,
// collect_free_indices after a pass that found garbage.
//
// Diverges by the term's state (free, garbage, normal, waiting, redex), then by its head symbol and rule. A slot that
// holds no redex costs 5 bytes of its own columns (reference count and normal-form flag); a waiting term also checks
// one subterm.

#include "kernels/term_rewriting/as_printed/store.hpp"

namespace lockstep::term_rewriting::as_printed::LOCKSTEP_MACHINE {

// With S::counts_rewrites, which the paper's kernel lacks, adds the warp's applications to the totals; one lane adds
// for all lanes that applied the same rule. All lanes of the warp call it.
template <class S>
__device__ void count_applications(Store<S>& store, unsigned rules) {
    if constexpr (S::counts_rewrites) {
        unsigned const applied = store.applied();
        unsigned const same = __match_any_sync(full_warp, applied);
        if (applied == no_rule || lane_id() != static_cast<unsigned>(__ffs(static_cast<int>(same))) - 1)
            return;
        Arguments const& arguments = store.arguments();
        unsigned const copy = blockIdx.x & (arguments.application_copies - 1);
        Wide const lanes = static_cast<Wide>(__popc(same));
        atomicAdd(&arguments.applications[static_cast<Wide>(copy) * rules + applied], lanes);
        atomicAdd(&store.flags().redexes, lanes);
    }
}

template <class S>
__device__ void derive_term(Store<S>& store, unsigned tid) {
    if constexpr (S::collects) {
        unsigned const refcount = store.refcount_read(tid);
        if (refcount == free_slot)
            return;
        if (refcount == 0) {
            store_relaxed(&store.flags().garbage_collecting, 1u);
            return;
        }
    }
    if (store.normal_read(tid))
        return;
    if (store.subterms_are_normal(tid) && !S::step(store, tid))
        store.set_normal(tid);
    store_relaxed(&store.flags().done, 0u);
}

template <class S>
__device__ void derive(Arguments const& arguments) {
    unsigned const tid = blockIdx.x * blockDim.x + threadIdx.x;
    Store<S> store(arguments, tid);
    if (tid != 0 && tid < arguments.n)
        derive_term(store, tid);
    count_applications(store, S::rules);
    for (unsigned step = 1; step < S::steps_per_pass; ++step) {
        if (store.continues() && store.subterms_are_normal(tid) && !S::step(store, tid))
            store.set_normal(tid);
        count_applications(store, S::rules);
    }
    store.report_traffic();
}

template <class S>
__device__ void collect_free_indices(Arguments const& arguments) {
    unsigned const tid = blockIdx.x * blockDim.x + threadIdx.x;
    Store<S> store(arguments, tid);
    if (tid != 0 && tid < arguments.n && store.refcount_read(tid) == 0)
        store.collect(tid);
    store.report_traffic();
}

}  // namespace lockstep::term_rewriting::as_printed::LOCKSTEP_MACHINE
