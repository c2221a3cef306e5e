#pragma once
// Polynomials over GF(2), used to jump ahead in linear generators. A generator's step is a linear map A whose
// characteristic polynomial P has degree D; by the Cayley-Hamilton theorem A^n = q(A) with q = x^n mod P, so n steps
// cost D steps and O(log n) polynomial multiplications. (Haramoto et al., "Efficient jump ahead for F2-linear random
// number generators", INFORMS Journal on Computing 20(3), 2008.)

#include "harness/simt/ceil_div.hpp"
#include "harness/simt/kernel.hpp"

namespace lockstep::random::LOCKSTEP_MACHINE {

// A polynomial of degree less than Degree. Bit i, counted from the low bit of word 0, is the coefficient of x^i.
template <unsigned Degree>
struct Gf2Polynomial {
    static constexpr unsigned words = simt::ceil_div(Degree, 32u);
    static constexpr unsigned top_bit = (Degree - 1) % 32;
    unsigned word[words];

    __host__ __device__ constexpr bool coefficient(unsigned i) const { return (word[i / 32] >> (i % 32) & 1u) != 0; }
};

// x * a mod P. `modulus` is P without its leading term x^Degree.
template <unsigned Degree>
__host__ __device__ constexpr Gf2Polynomial<Degree> times_x(Gf2Polynomial<Degree> a,
                                                            Gf2Polynomial<Degree> const& modulus) {
    using Polynomial = Gf2Polynomial<Degree>;
    bool const overflows = a.coefficient(Degree - 1);
    for (unsigned i = Polynomial::words - 1; i > 0; --i) {
        a.word[i] = a.word[i] << 1 | a.word[i - 1] >> 31;
    }
    a.word[0] <<= 1;
    a.word[Polynomial::words - 1] &= 0xffffffffu >> (31 - Polynomial::top_bit);
    for (unsigned i = 0; overflows && i < Polynomial::words; ++i) {
        a.word[i] ^= modulus.word[i];
    }
    return a;
}

// a * b mod P, by Horner's rule on b.
template <unsigned Degree>
__host__ __device__ constexpr Gf2Polynomial<Degree> times(Gf2Polynomial<Degree> const& a,
                                                          Gf2Polynomial<Degree> const& b,
                                                          Gf2Polynomial<Degree> const& modulus) {
    Gf2Polynomial<Degree> product = {};
    for (unsigned i = Degree; i-- > 0;) {
        product = times_x(product, modulus);
        for (unsigned w = 0; b.coefficient(i) && w < Gf2Polynomial<Degree>::words; ++w) {
            product.word[w] ^= a.word[w];
        }
    }
    return product;
}

// a^n mod P.
template <unsigned Degree>
__host__ __device__ constexpr Gf2Polynomial<Degree> power(Gf2Polynomial<Degree> a, unsigned long long n,
                                                          Gf2Polynomial<Degree> const& modulus) {
    Gf2Polynomial<Degree> result = {{1}};
    for (; n != 0; n >>= 1) {
        if ((n & 1) != 0) {
            result = times(result, a, modulus);
        }
        a = times(a, a, modulus);
    }
    return result;
}

}  // namespace lockstep::random::LOCKSTEP_MACHINE
