#pragma once
// The synthetic rules (section 6). A rule is a type with
//
//   unsigned range(Parameters)         number of its instances
//   bool condition(state, i)           returns true if instance i is enabled
//   bool evaluate(state, i)            applies the consequence for instance i; returns false if it changed nothing
//   bool deferred                      true if it stores words that other instances' conditions or consequences load
//
// A rule whose condition is that one word is not 0 can also have `prefetch(state, i)`, which loads that word, and
// `evaluate(state, i, operand)`, which uses it (Prefetching in program.hpp). Kernels can then load the word while they
// evaluate other instances, and load it only once. `state` has get, set and parameters (state.hpp).

#include "common/rule_interpreter/state.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

inline constexpr unsigned value_column = 0;
inline constexpr unsigned result_column = 1;

// Number of products per iteration of the main loop, so that the cost of loop control is small, and of the loop over
// the rest. For 2x2x2, these numbers give the fastest loops with CUDA 13.0: the assembler's choice of registers
// determines which operands of a product it keeps for reuse instead of reading them again (METHOD.md, "Registers").
template <unsigned n>
inline constexpr unsigned unrolled_products = n == 1   ? 200
                                              : n == 2 ? 20
                                              : n == 4 ? 4
                                                       : 1;
template <unsigned n>
inline constexpr unsigned unrolled_rest = n == 1   ? 20
                                          : n == 2 ? 1
                                          : n == 4 ? 4
                                                   : 1;

__device__ inline float start_of(unsigned value, unsigned i) {
    unsigned word = value * 0x9E3779B1u + i * 0x85EBCA6Bu;
    word ^= word >> 15;
    return __uint_as_float(0x3F800000u | word >> 9);
}

// Matrices of an evaluation: A is nearly a rotation of the rows, and its rows sum to 1, so B remains bounded.
template <unsigned n>
struct Matrices {
    float a[n][n];
    float b[n][n];

    __device__ explicit Matrices(float start) {
        float const small = start * 0.000244140625f;
        constexpr float elements = static_cast<float>(n * n);
#pragma unroll
        for (unsigned row = 0; row < n; ++row) {
            float rest = 1.0f;
#pragma unroll
            for (unsigned column = 0; column < n; ++column) {
                float const index = static_cast<float>(row * n + column);
                b[row][column] = fmaf(start, (index + 1.0f) / elements, 0.5f);
                if (column != (row + 1) % n) {
                    a[row][column] = small * (1.0f + index / (2.0f * elements));
                    rest = rest - a[row][column];
                }
            }
            a[row][(row + 1) % n] = rest;
        }
    }

    // B <- A * B, one column at a time.
    __device__ void multiply() {
#pragma unroll
        for (unsigned column = 0; column < n; ++column) {
            float sum[n];
#pragma unroll
            for (unsigned row = 0; row < n; ++row)
                sum[row] = a[row][0] * b[0][column];
#pragma unroll
            for (unsigned k = 1; k < n; ++k) {
#pragma unroll
                for (unsigned row = 0; row < n; ++row)
                    sum[row] = fmaf(a[row][k], b[k][column], sum[row]);
            }
#pragma unroll
            for (unsigned row = 0; row < n; ++row)
                b[row][column] = sum[row];
        }
    }

    __device__ unsigned checksum() const {
        float sum = 0;
#pragma unroll
        for (unsigned row = 0; row < n; ++row) {
#pragma unroll
            for (unsigned column = 0; column < n; ++column)
                sum = fmaf(b[row][column], static_cast<float>(row * n + column + 1), sum);
        }
        return __float_as_uint(sum);
    }
};

// The scalar setting: one fused multiply-add per product.
template <>
struct Matrices<1> {
    float a;
    float b;

    __device__ explicit Matrices(float start) : a(start * 0.000244140625f - 1.0f), b(start) {}
    __device__ void multiply() { b = fmaf(a, b, 1.0f); }
    __device__ unsigned checksum() const { return __float_as_uint(b); }
};

// Multiplies in runs of `whole` products while `left` is at least `whole`, and subtracts them from `left`.
template <unsigned whole, class M>
__device__ inline void multiply_whole(M& matrices, unsigned& left) {
#pragma unroll 1
    for (; left >= whole; left -= whole) {
#pragma unroll
        for (unsigned step = 0; step < whole; ++step)
            matrices.multiply();
    }
}

template <unsigned n>
__device__ inline unsigned product_checksum(unsigned value, unsigned i, unsigned load) {
    Matrices<n> matrices(start_of(value, i));
    unsigned left = load;
    multiply_whole<unrolled_products<n>>(matrices, left);
    if constexpr (unrolled_rest<n> < unrolled_products<n>)
        multiply_whole<unrolled_rest<n>>(matrices, left);
    if constexpr (unrolled_rest < n >> 1)
        multiply_whole<1>(matrices, left);
    return matrices.checksum();
}

// Rule with `load` products n x n x n.
template <unsigned n>
struct Product {
    static constexpr bool deferred = false;
    __device__ static unsigned range(Parameters const& p) { return p.range[value_column]; }

    static constexpr bool is_short = n == 1;
    template <class S, class Index>
    __device__ static unsigned prefetch(S const& state, Index i) {
        return state.get(value_column, i);
    }
    template <class S>
    __device__ static bool condition(S const& state, unsigned i) {
        return prefetch(state, i) != 0;
    }
    template <class S>
    __device__ static bool evaluate(S& state, unsigned i, unsigned operand) {
        state.set(result_column, i, product_checksum<n>(operand, i, state.parameters().load));
        return true;
    }
    template <class S>
    __device__ static bool evaluate(S& state, unsigned i) {
        return evaluate(state, i, prefetch(state, i));
    }
};

// Rule `number` of `several`: enabled by a bit of the result of earlier rules.
template <unsigned number>
struct Chained {
    static constexpr bool deferred = false;
    __device__ static unsigned range(Parameters const& p) {
        unsigned const whole = p.range[value_column];
        return whole > number * 37 ? whole - number * 37 : 1;
    }
    template <class S>
    __device__ static bool condition(S const& state, unsigned i) {
        if constexpr (number == 0)
            return state.get(value_column, i) != 0;
        else
            return (state.get(result_column, i) >> (number + 3) & 1) != 0;
    }
    template <class S>
    __device__ static bool evaluate(S& state, unsigned i) {
        unsigned const value = number == 0 ? state.get(value_column, i) : state.get(result_column, i) + number;
        state.set(result_column, i, product_checksum<1>(value, i, state.parameters().load));
        return true;
    }
};

// Loads and stores many words without arithmetic: the disadvantage that section 7 expects. Word k of instance i is word
// k * instances + i of its column.
struct Accesses {
    static constexpr bool deferred = false;
    __device__ static unsigned range(Parameters const& p) { return p.range[value_column] / p.accesses; }

    template <class S>
    __device__ static bool condition(S const& state, unsigned i) {
        return state.get(value_column, i) != 0;
    }
    template <class S>
    __device__ static bool evaluate(S& state, unsigned i) {
        unsigned const instances = range(state.parameters());
        for (unsigned word = 0; word < state.parameters().accesses; ++word)
            state.set(result_column, word * instances + i, ~(state.get(value_column, word * instances + i) + word));
        return true;
    }
};

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
