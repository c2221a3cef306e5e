#pragma once
// Products of 2x2x2 with registers asked for. The time of a product depends on which of its operands have registers of
// the same parity (METHOD.md, "Registers"), and without these requests that is chance: it changes with the code around.

#include "common/rule_interpreter/program.hpp"
#include "common/rule_interpreter/synthetic_rules.hpp"
#include "harness/simt/registers.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

// What a kernel asks for: the fastest of those requests with which no multiply-add has three operands whose registers
// have the same parity. Many were tried.
enum class Pinned { queue, flat_any, flat_whole };

template <Pinned pinned>
__device__ inline void pin(Matrices<2, 2, 2>& matrices) {
    auto& a = matrices.a;
    auto& b = matrices.b;
    if constexpr (pinned == Pinned::queue) {
        register_quad(a[0][0], a[0][1], a[1][0], b[0][0]);
        register_pair(a[1][1], b[0][1]);
    } else if constexpr (pinned == Pinned::flat_any) {
        register_quad(a[0][0], b[0][1], a[1][1], b[0][0]);
        register_quad(b[1][1], a[0][1], a[1][0], b[1][0]);
    } else {
        register_pair(a[1][0], b[1][0]);
        register_pair(a[1][1], a[0][1]);
        register_pair(b[0][0], b[0][1]);
        register_pair(b[1][1], a[0][0]);
    }
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

// The same for a load that is a multiple of `whole`, and not 0.
template <Pinned pinned, unsigned whole>
__device__ inline unsigned pinned_whole_checksum(unsigned value, unsigned i, unsigned load) {
    Matrices<2, 2, 2> matrices(start_of(value, i));
    pin<pinned>(matrices);
    unsigned left = load;
#pragma unroll 1
    do {
        multiply_unrolled<whole>(matrices);
        left -= whole;
    } while (left != 0);
    return matrices.checksum();
}

// The same for load / whole and load % whole, which the host computes.
template <Pinned pinned, unsigned whole>
__device__ inline unsigned pinned_divided_checksum(unsigned value, unsigned i, unsigned quotient, unsigned remainder) {
    Matrices<2, 2, 2> matrices(start_of(value, i));
    pin<pinned>(matrices);
    if (quotient != 0) {
#pragma unroll 1
        do {
            multiply_unrolled<whole>(matrices);
        } while (--quotient != 0);
    }
    if (remainder != 0) {
#pragma unroll 1
        do {
            matrices.multiply();
        } while (--remainder != 0);
    }
    return matrices.checksum();
}

// The rule Product<2> for `queue`.
struct PinnedProduct : Product<2> {
    template <class S>
    __device__ static bool evaluate(S& state, unsigned i, unsigned operand) {
        unsigned const load = state.parameters().load;
        state.set(result_column, i, pinned_checksum<Pinned::queue, unrolled_products<8>>(operand, i, load));
        return true;
    }
    template <class S>
    __device__ static bool evaluate(S& state, unsigned i) {
        return evaluate(state, i, prefetch(state, i));
    }
};

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
