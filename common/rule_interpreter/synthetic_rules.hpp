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
// evaluate other instances, and load it only once. `state` has get, set and parameters (state.hpp). `used_columns` and
// `stored_columns` are sets of bits (cached.hpp). A rule that loads and stores only words of its own instance declares
// `own_instance`; if these are word i of each column, also `one_word_per_column`, and as `loaded_columns` the columns
// that it loads (fused.hpp). If it may in addition be evaluated for instances that are not enabled, whose outcome is
// then dropped, it has (selected.hpp)
//
//   enabling_column, enabling_bits     instance i is enabled if its word has one of these bits
//   offset(i)                          what instance i adds to the beginning of an evaluation, for every state
//   Products<n>                        products of n instances side by side (scalar_products.hpp), from the words by
//                                      which they are enabled; outcomes go to `selected_column`

#include "common/rule_interpreter/scalar_products.hpp"
#include "common/rule_interpreter/state.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

inline constexpr unsigned value_column = 0;
inline constexpr unsigned result_column = 1;

// Number of products per iteration of the main loop, so that the cost of loop control is small, and of the loop over
// the rest. For 2x2x2, these numbers give the fastest loops with CUDA 13.0: the assembler's choice of registers
// determines which operands of a product it keeps for reuse instead of reading them again (METHOD.md, "Registers").
// All are multiples of N / M, so that rows of B that move (see Matrices) only change their registers' names.
template <unsigned terms>
inline constexpr unsigned unrolled_products = terms == 1    ? 200
                                              : terms <= 8  ? 20
                                              : terms <= 16 ? 8
                                              : terms <= 64 ? 4
                                                            : 1;
template <unsigned terms>
inline constexpr unsigned unrolled_rest = terms == 1 ? 20 : 1;

__device__ inline float start_of(unsigned value, unsigned i) {
    unsigned word = value * value_factor + i * index_factor;
    word ^= word >> 15;
    return __uint_as_float(0x3F800000u | word >> 9);
}

// Matrices of an evaluation: A is m x n, B is n x o. A is nearly a rotation of the rows of B, and the rows of A that
// contribute to one row of the next B sum to 1, so B remains bounded.
template <unsigned m, unsigned n, unsigned o>
struct Matrices {
    float a[m][n];
    float b[n][o];

    __device__ explicit Matrices(float start) {
        float const small = start * 0.000244140625f;
#pragma unroll
        for (unsigned row = 0; row < m; ++row) {
            unsigned const large = m < n ? row : (row + 1) % n;
            unsigned const contributing = (m - row % n + n - 1) / n;  // rows of the product that become row % n of B
            float rest = 1.0f / static_cast<float>(contributing);
#pragma unroll
            for (unsigned column = 0; column < n; ++column) {
                if (column == large)
                    continue;
                float const index = static_cast<float>(row * n + column);
                a[row][column] = small * (1.0f + index / static_cast<float>(2 * m * n));
                rest = rest - a[row][column];
            }
            a[row][large] = rest;
        }
#pragma unroll
        for (unsigned row = 0; row < n; ++row) {
#pragma unroll
            for (unsigned column = 0; column < o; ++column) {
                float const number = static_cast<float>(row * o + column + 1);
                b[row][column] = fmaf(start, number / static_cast<float>(n * o), 0.5f);
            }
        }
    }

    // Multiplies A * B and makes the product the next B, one column at a time.
    __device__ void multiply() {
#pragma unroll
        for (unsigned column = 0; column < o; ++column) {
            float sum[m];
#pragma unroll
            for (unsigned row = 0; row < m; ++row)
                sum[row] = a[row][0] * b[0][column];
#pragma unroll
            for (unsigned k = 1; k < n; ++k) {
#pragma unroll
                for (unsigned row = 0; row < m; ++row)
                    sum[row] = fmaf(a[row][k], b[k][column], sum[row]);
            }
            replace(column, sum);
        }
    }

    __device__ unsigned checksum() const {
        float sum = 0;
#pragma unroll
        for (unsigned row = 0; row < n; ++row) {
#pragma unroll
            for (unsigned column = 0; column < o; ++column)
                sum = fmaf(b[row][column], static_cast<float>(row * o + column + 1), sum);
        }
        return __float_as_uint(sum);
    }

private:
    // A column of the next B from the product's. M = N: the product. M < N: the rows of B move up by M, and the
    // product follows. M > N: row r is the sum of the product's rows r, r + N, r + 2N ...
    __device__ void replace(unsigned column, float const (&sum)[m]) {
        if constexpr (m < n) {
#pragma unroll
            for (unsigned row = 0; row < n - m; ++row)
                b[row][column] = b[row + m][column];
        }
#pragma unroll
        for (unsigned row = 0; row < (m < n ? m : n); ++row)
            b[m < n ? n - m + row : row][column] = sum[row];
        if constexpr (m > n) {
#pragma unroll
            for (unsigned row = n; row < m; ++row)
                b[row % n][column] = b[row % n][column] + sum[row];
        }
    }
};

// The scalar setting: one fused multiply-add per product.
template <>
struct Matrices<1, 1, 1> {
    float a;
    float b;

    __device__ explicit Matrices(float start) : a(start * 0.000244140625f - 1.0f), b(start) {}
    __device__ void multiply() { b = fmaf(a, b, 1.0f); }
    __device__ unsigned checksum() const { return __float_as_uint(b); }
};

template <unsigned times, class M>
__device__ inline void multiply_unrolled(M& matrices) {
#pragma unroll
    for (unsigned step = 0; step < times; ++step)
        matrices.multiply();
}

// Multiplies in runs of `whole` products while `left` is at least `whole`, and subtracts them from `left`.
template <unsigned whole, class M>
__device__ inline void multiply_whole(M& matrices, unsigned& left) {
#pragma unroll 1
    for (; left >= whole; left -= whole)
        multiply_unrolled<whole>(matrices);
}

template <unsigned m, unsigned n, unsigned o>
__device__ inline unsigned product_checksum(unsigned value, unsigned i, unsigned load) {
    constexpr unsigned whole = unrolled_products<m * n * o>;
    constexpr unsigned rest = unrolled_rest<m * n * o>;
    Matrices<m, n, o> matrices(start_of(value, i));
    unsigned left = load;
    multiply_whole<whole>(matrices, left);
    if constexpr (rest < whole)
        multiply_whole<rest>(matrices, left);
    if constexpr (rest > 1)
        multiply_whole<1>(matrices, left);
    return matrices.checksum();
}

// Rule with `load` products m x n x o (shape.hpp).
template <unsigned m, unsigned n = m, unsigned o = n>
struct Product {
    static constexpr bool deferred = false;
    static constexpr unsigned used_columns = 1u << value_column | 1u << result_column;
    static constexpr unsigned stored_columns = 1u << result_column;
    static constexpr bool own_instance = true;
    static constexpr bool one_word_per_column = true;
    static constexpr unsigned loaded_columns = 1u << value_column;
    __device__ static unsigned range(Parameters const& p) { return p.range[value_column]; }

    static constexpr bool is_short = m * n * o == 1;
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
        state.set(result_column, i, product_checksum<m, n, o>(operand, i, state.parameters().load));
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
    static constexpr unsigned used_columns = 1u << value_column | 1u << result_column;
    static constexpr unsigned stored_columns = 1u << result_column;
    static constexpr bool own_instance = true;
    static constexpr bool one_word_per_column = true;
    static constexpr unsigned loaded_columns = used_columns;
    __device__ static unsigned range(Parameters const& p) {
        unsigned const whole = p.range[value_column];
        return whole > number * 37 ? whole - number * 37 : 1;
    }

    static constexpr unsigned enabling_column = number == 0 ? value_column : result_column;
    static constexpr unsigned enabling_bits = number == 0 ? ~0u : 1u << (number + 3);
    static constexpr unsigned selected_column = result_column;
    template <class S>
    __device__ static unsigned operand(S const& state, unsigned i) {
        return state.get(enabling_column, i) + number;
    }
    __device__ static unsigned offset(unsigned i) { return number * value_factor + i * index_factor; }
    template <unsigned instances>
    using Products = ScalarProducts<instances>;

    template <class S>
    __device__ static bool condition(S const& state, unsigned i) {
        return (state.get(enabling_column, i) & enabling_bits) != 0;
    }
    template <class S>
    __device__ static bool evaluate(S& state, unsigned i) {
        state.set(result_column, i, product_checksum<1, 1, 1>(operand(state, i), i, state.parameters().load));
        return true;
    }
};

// Loads and stores many words without arithmetic: the disadvantage that section 7 expects. Word k of instance i is word
// k * instances + i of its column.
struct Accesses {
    static constexpr bool deferred = false;
    static constexpr unsigned used_columns = 1u << value_column | 1u << result_column;
    static constexpr unsigned stored_columns = 1u << result_column;
    static constexpr bool own_instance = true;
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
