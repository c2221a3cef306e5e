#pragma once
// A logarithm for random variates in integer arithmetic, so that every machine returns the same bits: the result does
// not depend on a library's log, on a rounding mode, or on whether a compiler fuses a multiply-add.
//
// u = (word + 1/2) / 2^32 lies strictly between 0 and 1. With z leading zeros of the word, u = m * 2^-(z + 1) and m in
// [1, 2), so -ln u = (z + 1) ln 2 - ln m. ln m is approximated by a polynomial of degree 10 in m - 3/2, the interpolant
// at the Chebyshev nodes, evaluated by Horner's rule with 31 fractional bits.

#include "harness/simt/kernel.hpp"

namespace lockstep::random::LOCKSTEP_MACHINE {

inline constexpr unsigned minus_log_fraction_bits = 27;

// CUDA's intrinsics are device-only; these functions work on host and device.
__host__ __device__ inline int high_product(int x, int y) {
    return static_cast<int>(static_cast<long long>(x) * y >> 32);
}
__host__ __device__ inline unsigned leading_zeros(unsigned word) {
#if defined(__CUDA_ARCH__)
    return static_cast<unsigned>(__clz(static_cast<int>(word)));
#else
    return static_cast<unsigned>(__builtin_clz(word));
#endif
}

// ln(1 + t / 2^32) with 31 fractional bits.
__host__ __device__ inline int log_of_mantissa(unsigned t) {
    int const r = static_cast<int>(t - 0x80000000u);  // (m - 3/2) * 2^32
    int sum = -4855450;
    sum = 8053865 + high_product(sum, r);
    sum = -10175334 + high_product(sum, r);
    sum = 17468148 + high_product(sum, r);
    sum = -31455282 + high_product(sum, r);
    sum = 56613850 + high_product(sum, r);
    sum = -106047062 + high_product(sum, r);
    sum = 212094683 + high_product(sum, r);
    sum = -477218607 + high_product(sum, r);
    sum = 1431655796 + high_product(sum, r);
    return 870729689 + high_product(sum, r);
}

// Returns -ln((word + 1/2) / 2^32) with 27 fractional bits: 0 .. 22.9, with an error of less than one unit in the last
// place (2^-27). The word 0 is treated as (1/2 + 2^-33) / 2^32, which keeps the shift below 32. For a uniform word, the
// result is an exponential variate of mean 1.
__host__ __device__ inline unsigned minus_log(unsigned word) {
    unsigned const zeros = word == 0 ? 32u : leading_zeros(word);
    unsigned const mantissa = (word << 1 | 1u) << (zeros & 31u);  // the leading one is shifted out
    constexpr long long log_2 = 1488522236;                       // with 31 fractional bits
    long long const value = static_cast<long long>(zeros + 1) * log_2 - log_of_mantissa(mantissa);
    return static_cast<unsigned>((value + 8) >> 4);
}

}  // namespace lockstep::random::LOCKSTEP_MACHINE
