#pragma once
// A logarithm for random variates whose result is a whole number and has the same bits on every machine. It consists of
// IEEE operations only: a conversion, an addition, a subtraction and fused multiply-adds, each rounded to nearest. So
// it depends neither on a library's log nor on whether a compiler fuses a multiply-add.
//
// u = (word + 1/2) / 2^32 lies strictly between 0 and 1. Let f = m * 2^z be word + 1/2 in single precision, with m in
// [1, 2). Then -ln u = (32 - z) ln 2 - ln m. The polynomial of degree 8 approximates 2 - ln m, in powers of m - c. The
// last multiply-add rounds to a multiple of 2^-23, because its result lies between 1 and 2. Its bits are therefore the
// whole number that the caller gets, up to a constant.
//
// Error, in units of 2^-23: at most 0.9 for the polynomial and its rounding (all 2^23 values of m, logarithm_test.cpp),
// 0.75 for the two roundings of f, and 0.016 per factor 1/2 in u for the rounding of ln 2, where words below 2^22 have
// no rounding of f. It is below 2 in all.
//
// Operations: 15, of which 8 are multiply-adds in single precision.

#include "harness/simt/kernel.hpp"

namespace lockstep::random::LOCKSTEP_MACHINE {

inline constexpr unsigned minus_log_fraction_bits = 23;
inline constexpr unsigned max_minus_log = 33u * 5814540u;  // of the word 0

// 2 - ln m, as a multiple of 2^-23 in [1, 2]. The centre and the coefficients are chosen together, such that the
// constant term and the linear one are nearly exact in single precision.
__device__ inline float two_minus_log(float m) {
    float const r = m - 1.500244140625f;  // exact
    float sum = 0x1.9cdfa4p-8f;
    sum = fmaf(sum, r, -0x1.4f44bcp-7f);
    sum = fmaf(sum, r, 0x1.d2d536p-7f);
    sum = fmaf(sum, r, -0x1.a91b2ep-6f);
    sum = fmaf(sum, r, 0x1.94995cp-5f);
    sum = fmaf(sum, r, -0x1.947412p-4f);
    sum = fmaf(sum, r, 0x1.c6f5c4p-3f);
    sum = fmaf(sum, r, -0x1.55470cp-1f);
    return fmaf(sum, r, 0x1.9828c6p+0f);
}

// Returns -ln((word + 1/2) / 2^32) with 23 fractional bits: 0 .. 22.9. For a uniform word, the result is an exponential
// variate of mean 1.
__device__ inline unsigned minus_log(unsigned word) {
    constexpr unsigned log_2 = 5814540;  // with 23 fractional bits
    constexpr unsigned exponent_of_2_32 = 127 + 32;
    constexpr unsigned bits_of_1 = 0x3f800000u;
    constexpr unsigned bits_of_2 = 0x40000000u;
    unsigned const bits = __float_as_uint(static_cast<float>(word) + 0.5f);
    float const m = __uint_as_float((bits & 0x007fffffu) | bits_of_1);
    unsigned const exponent = bits >> 23;
    return (exponent_of_2_32 * log_2 - bits_of_2) - exponent * log_2 + __float_as_uint(two_minus_log(m));
}

}  // namespace lockstep::random::LOCKSTEP_MACHINE
