#pragma once
// Products of 2x2x2 with registers asked for. The time of a product depends on which of its operands have registers of
// the same parity (METHOD.md, "Registers"), and without these requests that is chance: it changes with the code around.

#include "common/rule_interpreter/program.hpp"
#include "common/rule_interpreter/synthetic_rules.hpp"
#include "harness/simt/registers.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

// What a kernel asks for: the requests that gave it the fastest loop of those that were tried.
enum class Pinned { six_words, all_words };

template <Pinned pinned>
__device__ inline void pin(Matrices<2, 2, 2>& matrices) {
    auto& a = matrices.a;
    auto& b = matrices.b;
    register_quad(a[0][0], a[0][1], a[1][0], b[0][0]);
    if constexpr (pinned == Pinned::all_words)
        register_quad(a[1][1], b[0][1], b[1][0], b[1][1]);
    else
        register_pair(a[1][1], b[0][1]);
}

// product_checksum<2, 2, 2> with `whole` products per iteration of the main loop.
template <Pinned pinned, unsigned whole>
__device__ inline unsigned pinned_checksum(unsigned value, unsigned i, unsigned load) {
    Matrices<2, 2, 2> matrices(start_of(value, i));
    pin<pinned>(matrices);
    unsigned left = load;
    multiply_whole<whole>(matrices, left);
    multiply_whole<1>(matrices, left);
    return matrices.checksum();
}

// The rule Product<2> for `queue`.
struct PinnedProduct : Product<2> {
    template <class S>
    __device__ static bool evaluate(S& state, unsigned i, unsigned operand) {
        unsigned const load = state.parameters().load;
        state.set(result_column, i, pinned_checksum<Pinned::six_words, unrolled_products<8>>(operand, i, load));
        return true;
    }
    template <class S>
    __device__ static bool evaluate(S& state, unsigned i) {
        return evaluate(state, i, prefetch(state, i));
    }
};

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
