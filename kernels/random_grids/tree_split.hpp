#pragma once
// Split of a node of `tree`: one look-up in its table (common/random_grids/tree_tables.hpp). Of 2^22 words and more,
// one does not decide; its second word may hit the residual, which needs arithmetic with whole binomial numbers.

#include "harness/simt/kernel.hpp"
#include "kernels/random_grids/unrank.hpp"

namespace lockstep::random_grids {

// A table in device memory.
struct TreeSource {
    unsigned long long const* entries = nullptr;
    unsigned const* tails = nullptr;
    unsigned column_bits = 0;
    unsigned low = 0;
    unsigned high = 0;
};

}  // namespace lockstep::random_grids

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

// A natural number of at most `words` words of 32 bits, the lowest first.
template <unsigned words>
class Natural {
public:
    __device__ Natural() {
#pragma unroll 1
        for (unsigned i = 0; i < words; ++i)
            digits_[i] = i == 0 ? 1 : 0;
    }

    // Multiplies by C(n, k). Each quotient is a whole number.
    __device__ void times_binomial(unsigned n, unsigned k) {
#pragma unroll 1
        for (unsigned i = 1; i <= k; ++i) {
            unsigned long long carried = 0;
#pragma unroll 1
            for (unsigned at = 0; at < words; ++at) {
                carried += static_cast<unsigned long long>(digits_[at]) * (n - k + i);
                digits_[at] = static_cast<unsigned>(carried);
                carried >>= 32;
            }
            unsigned long long rest = 0;
#pragma unroll 1
            for (unsigned at = words; at-- > 0;) {
                rest = rest << 32 | digits_[at];
                digits_[at] = static_cast<unsigned>(rest / i);
                rest %= i;
            }
        }
    }

    // Replaces this number, which is below `all`, by its double modulo `all`. Returns the quotient, 0 or 1.
    __device__ unsigned double_modulo(Natural const& all) {
        unsigned carry = 0;
#pragma unroll 1
        for (unsigned at = 0; at < words; ++at) {
            unsigned const digit = digits_[at];
            digits_[at] = digit << 1 | carry;
            carry = digit >> 31;
        }
#pragma unroll 1
        for (unsigned at = words; at-- > 0;) {
            if (digits_[at] < all.digits_[at])
                return 0;
            if (digits_[at] > all.digits_[at])
                break;
        }
        unsigned borrow = 0;
#pragma unroll 1
        for (unsigned at = 0; at < words; ++at) {
            unsigned long long const taken = static_cast<unsigned long long>(all.digits_[at]) + borrow;
            borrow = digits_[at] < taken ? 1 : 0;
            digits_[at] -= static_cast<unsigned>(taken);
        }
        return 1;
    }

    __device__ bool equals(Natural const& other) const {
#pragma unroll 1
        for (unsigned at = 0; at < words; ++at) {
            if (digits_[at] != other.digits_[at])
                return false;
        }
        return true;
    }

private:
    unsigned digits_[words];
};

// An outcome of the residual: proposes each outcome with the same probability and accepts it with the probability
// fraction_j. Not inlined, because it is hardly ever called and needs much memory.
template <unsigned words, class Engine>
LOCKSTEP_NOINLINE __device__ unsigned draw_residual(Engine& engine, unsigned low, unsigned high, unsigned k) {
    constexpr unsigned bits = bits_of_words<Engine>();
    unsigned const first = k > high ? k - high : 0;
    unsigned const last = low < k ? low : k;
    unsigned outcome_bits = 0;
    while ((last - first) >> outcome_bits != 0)
        ++outcome_bits;
    Natural<words> all;
    all.times_binomial(low + high, k);
    for (;;) {
        unsigned number = last - first + 1;
        while (number > last - first)
            number = outcome_bits == 0 ? 0 : engine() >> (bits - outcome_bits);
        unsigned const j = first + number;
        Natural<words> rest;
        rest.times_binomial(low, j);
        rest.times_binomial(high, k - j);
        // The only outcome has all sets, and no fraction.
        bool const alone = rest.equals(all);
#pragma unroll 1
        for (unsigned i = 0; i < 2 * bits; ++i)
            rest.double_modulo(all);
        for (bool equal = !alone; equal;) {
            unsigned digit = 0;
#pragma unroll 1
            for (unsigned i = 0; i < bits; ++i)
                digit = digit << 1 | rest.double_modulo(all);
            unsigned const word = engine();
            if (word < digit)
                return j;
            equal = word == digit;
        }
    }
}

// Continues where a copy of the engine has stopped.
template <class Engine>
__device__ inline void resume(Engine& engine, Engine const& copy) {
    if constexpr (requires { engine.resume(copy); })
        engine.resume(copy);
    else
        engine = copy;
}

// What a path that is hardly ever taken returns. The engine goes in and comes out as a value: if its address were
// known, it would not stay in registers.
template <class Engine>
struct LowDrawn {
    Engine engine;
    unsigned low;
};

// Decides by a second word, for a first word that does not. `tails`: the column's two bounds; `outcomes`: of smaller
// words in the lower half, of larger words in the upper half.
template <unsigned words, class Engine>
LOCKSTEP_NOINLINE __device__ LowDrawn<Engine> resolve_low(Engine engine, unsigned const* tails, unsigned outcomes,
                                                          unsigned low, unsigned high, unsigned k) {
    unsigned const tail = engine();
    unsigned drawn = outcomes & 0xFFFFu;
    if (tail >= tails[1])
        drawn = outcomes >> 16;
    else if (tail >= tails[0])
        drawn = draw_residual<words>(engine, low, high, k);
    return {engine, drawn};
}

// Number of the k sites in the low part of a node, from one random word. `words` of 32 bits hold C(low + high, k) and
// a factor below 2^15.
template <unsigned words, class Engine>
__device__ inline unsigned draw_low(TreeSource const& table, Engine& engine, unsigned k, unsigned word) {
    constexpr unsigned bits = bits_of_words<Engine>();
    unsigned const column = __funnelshift_l(word << (32 - bits), k, table.column_bits);
    unsigned long long const entry = table.entries[column];
    auto const outcomes = static_cast<unsigned>(entry);
    auto const undecided = static_cast<unsigned>(entry >> 32);
    unsigned low = word < undecided ? outcomes & 0xFFFFu : outcomes >> 16;
    if (word == undecided) {
        LowDrawn<Engine> const drawn =
            resolve_low<words>(engine, table.tails + 2 * column, outcomes, table.low, table.high, k);
        resume(engine, drawn.engine);
        low = drawn.low;
    }
    return low;
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
