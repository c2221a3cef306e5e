#pragma once
// Computes digest_of() (common/term_rewriting/language/system.cpp) of a normal form on the machine that holds it. Each
// pass gives a digest to every term whose subterms got theirs in an earlier pass.

#include "kernels/term_rewriting/as_printed/store.hpp"

namespace lockstep::term_rewriting::as_printed::LOCKSTEP_MACHINE {

__device__ inline Wide mixed(Wide value) {
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ull;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebull;
    return value ^ (value >> 31);
}

template <class S>
__device__ void digest(DigestArguments const& arguments) {
    unsigned const slot = blockIdx.x * blockDim.x + threadIdx.x;
    if (slot == 0 || slot >= arguments.n || arguments.passes[slot] != 0)
        return;
    Columns const& columns = arguments.columns;
    unsigned const symbol = static_cast<typename S::Symbol const*>(columns.hss)[slot];
    unsigned const arity = S::arity_of(symbol);
    Wide digest = mixed(symbol + 0x9e3779b97f4a7c15ull);
    for (unsigned i = 0; i < arity; ++i) {
        unsigned const argument = columns.arguments[static_cast<Wide>(i) * columns.capacity + slot];
        unsigned const digest_pass = load_relaxed(&arguments.passes[argument]);
        if (digest_pass == 0 || digest_pass == arguments.pass)
            return;
        digest = mixed(digest * 3 + arguments.digests[argument]);
    }
    arguments.digests[slot] = digest;
    store_relaxed(&arguments.passes[slot], arguments.pass);
}

}  // namespace lockstep::term_rewriting::as_printed::LOCKSTEP_MACHINE
