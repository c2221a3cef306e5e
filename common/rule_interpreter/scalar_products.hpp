#pragma once
// Scalar products (1x1x1) of several instances side by side: they share the control of the loops, and do not wait for
// one another. Beginnings take fewer operations than start_of and Matrices do (synthetic_rules.hpp): two shifts that do
// not wait for each other and one operation of three words, and one rounding where the product is exact. The other
// loops keep theirs, because the registers of products depend on them (METHOD.md, "Registers").

#include "common/rule_interpreter/parameters.hpp"
#include "harness/simt/predicated.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

inline constexpr unsigned value_factor = 0x9E3779B1u;
inline constexpr unsigned index_factor = 0x85EBCA6Bu;

// Rounds of `whole` products and the rest of them.
template <unsigned whole>
struct ProductLoops {
    unsigned rounds;
    unsigned rest;
    __device__ explicit ProductLoops(unsigned products) : rounds(products / whole), rest(products % whole) {}
};

// For all products but the last one; needs at least one product. With 19 per round, a load of 20 is one round without a
// rest.
using LoopsBeforeLast = ProductLoops<19>;

template <unsigned instances>
class ScalarProducts {
public:
    // offset[k % neighbours] belongs to instance k: its index times index_factor, plus value_factor times what is added
    // to the word.
    template <unsigned neighbours>
    __device__ ScalarProducts(unsigned const (&word)[instances], unsigned const (&offset)[neighbours]) {
#pragma unroll
        for (unsigned k = 0; k < instances; ++k) {
            unsigned const hash = word[k] * value_factor + offset[k % neighbours];
            b_[k] = __uint_as_float(0x3F800000u | (hash >> 9 ^ hash >> 24));
            a_[k] = fmaf(b_[k], 0.000244140625f, -1.0f);
        }
    }

    template <unsigned whole>
    __device__ void multiply(ProductLoops<whole> const& loops) {
#pragma unroll 1
        for (unsigned round = loops.rounds; round != 0; --round)
            multiply_times<whole>();
#pragma unroll 1
        for (unsigned left = loops.rest; left != 0; --left)
            multiply_times<1>();
    }

    __device__ unsigned checksum(unsigned k) const { return __float_as_uint(b_[k]); }

    // The last product of instance k: replaces `result` if one of `bits` is set.
    __device__ void last_product_if(unsigned bits, unsigned k, float& result) const {
        fma_plus_one_if(bits, result, a_[k], b_[k]);
    }

private:
    template <unsigned times>
    __device__ void multiply_times() {
#pragma unroll
        for (unsigned n = 0; n < times * instances; ++n)
            b_[n % instances] = fmaf(a_[n % instances], b_[n % instances], 1.0f);
    }

    float a_[instances], b_[instances];
};

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
