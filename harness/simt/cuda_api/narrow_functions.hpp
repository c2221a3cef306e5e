#pragma once
// The functions that half and bfloat16 share, with CUDA's names: arithmetic, comparison and mathematics of one number
// (h) and of a pair (h2). cuda_fp16.hpp and cuda_bf16.hpp add the conversions, whose names differ.

#include "harness/simt/cuda_api/atomics.hpp"
#include "harness/simt/cuda_api/math_functions.hpp"
#include "harness/simt/cuda_api/narrow_float.hpp"
#include "harness/simt/cuda_api/vector_types.hpp"
#include "harness/simt/cuda_api/warp.hpp"

namespace lockstep::simt::cuda {

// a * b + c, rounded once. The product is exact in double. The sum is rounded to odd, from which rounding to a shorter
// format gives the correctly rounded result (Boldo and Melquiond, 2008).
inline double fused(double a, double b, double c) {
    double const product = a * b;
    double const sum = product + c;
    double const part = sum - product;
    double const error = (product - (sum - part)) + (c - part);
    auto bits = std::bit_cast<std::uint64_t>(sum);
    if (error == error && error != 0 && (bits & 1) == 0) {
        bool const grows = (error > 0) == (sum > 0);
        bits += grows ? 1 : -1;
    }
    return std::bit_cast<double>(bits);
}

inline float saturated(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }
inline float relu(float x) { return x > 0 || x != x ? x : 0.0f; }
inline float either_nan_min(float a, float b) { return a != a || b != b ? NAN : fminf(a, b); }
inline float either_nan_max(float a, float b) { return a != a || b != b ? NAN : fmaxf(a, b); }

}  // namespace lockstep::simt::cuda

// NOLINTBEGIN(bugprone-reserved-identifier): the names are CUDA's.
// A function of one, two or three numbers, given by an expression in the floats a, b and c, and the same for pairs.
#define LOCKSTEP_NARROW_1(name, pair_name, expression)                                     \
    template <class F>                                                                     \
    lockstep::simt::cuda::Narrow<F> name(lockstep::simt::cuda::Narrow<F> x) {              \
        float const a = x;                                                                 \
        return expression;                                                                 \
    }                                                                                      \
    template <class F>                                                                     \
    lockstep::simt::cuda::NarrowPair<F> pair_name(lockstep::simt::cuda::NarrowPair<F> p) { \
        return {name(p.x), name(p.y)};                                                     \
    }
#define LOCKSTEP_NARROW_2(name, pair_name, expression)                                                           \
    template <class F>                                                                                           \
    lockstep::simt::cuda::Narrow<F> name(lockstep::simt::cuda::Narrow<F> x, lockstep::simt::cuda::Narrow<F> y) { \
        float const a = x, b = y;                                                                                \
        return expression;                                                                                       \
    }                                                                                                            \
    template <class F>                                                                                           \
    lockstep::simt::cuda::NarrowPair<F> pair_name(lockstep::simt::cuda::NarrowPair<F> p,                         \
                                                  lockstep::simt::cuda::NarrowPair<F> q) {                       \
        return {name(p.x, q.x), name(p.y, q.y)};                                                                 \
    }
#define LOCKSTEP_NARROW_FMA(name, pair_name, function)                                                         \
    template <class F>                                                                                         \
    lockstep::simt::cuda::Narrow<F> name(lockstep::simt::cuda::Narrow<F> x, lockstep::simt::cuda::Narrow<F> y, \
                                         lockstep::simt::cuda::Narrow<F> z) {                                  \
        using namespace lockstep::simt::cuda;                                                                  \
        Narrow<F> const result = fused(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z));   \
        return function(result);                                                                               \
    }                                                                                                          \
    template <class F>                                                                                         \
    lockstep::simt::cuda::NarrowPair<F> pair_name(lockstep::simt::cuda::NarrowPair<F> p,                       \
                                                  lockstep::simt::cuda::NarrowPair<F> q,                       \
                                                  lockstep::simt::cuda::NarrowPair<F> r) {                     \
        return {name(p.x, q.x, r.x), name(p.y, q.y, r.y)};                                                     \
    }
// Comparisons of numbers, of pairs into 1.0 or 0.0, and of both numbers of a pair. `u` forms hold for NaN, too.
#define LOCKSTEP_NARROW_COMPARE(name, expression)                                                      \
    template <class F>                                                                                 \
    bool __h##name(lockstep::simt::cuda::Narrow<F> x, lockstep::simt::cuda::Narrow<F> y) {             \
        float const a = x, b = y;                                                                      \
        return expression;                                                                             \
    }                                                                                                  \
    template <class F>                                                                                 \
    lockstep::simt::cuda::NarrowPair<F> __h##name##2(lockstep::simt::cuda::NarrowPair<F> p,            \
                                                     lockstep::simt::cuda::NarrowPair<F> q) {          \
        return {__h##name(p.x, q.x) ? 1.0f : 0.0f, __h##name(p.y, q.y) ? 1.0f : 0.0f};                 \
    }                                                                                                  \
    template <class F>                                                                                 \
    bool __hb##name##2(lockstep::simt::cuda::NarrowPair<F> p, lockstep::simt::cuda::NarrowPair<F> q) { \
        return __h##name(p.x, q.x) && __h##name(p.y, q.y);                                             \
    }

LOCKSTEP_NARROW_2(__hadd, __hadd2, a + b)
LOCKSTEP_NARROW_2(__hsub, __hsub2, a - b)
LOCKSTEP_NARROW_2(__hmul, __hmul2, (a * b))
LOCKSTEP_NARROW_2(__hdiv, __h2div, a / b)
LOCKSTEP_NARROW_2(__hadd_rn, __hadd2_rn, a + b)
LOCKSTEP_NARROW_2(__hsub_rn, __hsub2_rn, a - b)
LOCKSTEP_NARROW_2(__hmul_rn, __hmul2_rn, (a * b))
LOCKSTEP_NARROW_2(__hadd_sat, __hadd2_sat, lockstep::simt::cuda::saturated(a + b))
LOCKSTEP_NARROW_2(__hsub_sat, __hsub2_sat, lockstep::simt::cuda::saturated(a - b))
LOCKSTEP_NARROW_2(__hmul_sat, __hmul2_sat, lockstep::simt::cuda::saturated(a* b))
LOCKSTEP_NARROW_2(__hmin, __hmin2, fminf(a, b))
LOCKSTEP_NARROW_2(__hmax, __hmax2, fmaxf(a, b))
LOCKSTEP_NARROW_2(__hmin_nan, __hmin2_nan, lockstep::simt::cuda::either_nan_min(a, b))
LOCKSTEP_NARROW_2(__hmax_nan, __hmax2_nan, lockstep::simt::cuda::either_nan_max(a, b))
LOCKSTEP_NARROW_1(__hneg, __hneg2, -a)
LOCKSTEP_NARROW_1(__habs, __habs2, fabsf(a))
LOCKSTEP_NARROW_FMA(__hfma, __hfma2, )
LOCKSTEP_NARROW_FMA(__hfma_sat, __hfma2_sat, lockstep::simt::cuda::saturated)
LOCKSTEP_NARROW_FMA(__hfma_relu, __hfma2_relu, lockstep::simt::cuda::relu)

LOCKSTEP_NARROW_COMPARE(eq, a == b)
LOCKSTEP_NARROW_COMPARE(ne, a<b || a> b)
LOCKSTEP_NARROW_COMPARE(lt, a < b)
LOCKSTEP_NARROW_COMPARE(le, a <= b)
LOCKSTEP_NARROW_COMPARE(gt, a > b)
LOCKSTEP_NARROW_COMPARE(ge, a >= b)
LOCKSTEP_NARROW_COMPARE(equ, !(a < b || a > b))
LOCKSTEP_NARROW_COMPARE(neu, a != b)
LOCKSTEP_NARROW_COMPARE(ltu, !(a >= b))
LOCKSTEP_NARROW_COMPARE(leu, !(a > b))
LOCKSTEP_NARROW_COMPARE(gtu, !(a <= b))
LOCKSTEP_NARROW_COMPARE(geu, !(a < b))

LOCKSTEP_NARROW_1(hceil, h2ceil, ceilf(a))
LOCKSTEP_NARROW_1(hfloor, h2floor, floorf(a))
LOCKSTEP_NARROW_1(hrint, h2rint, rintf(a))
LOCKSTEP_NARROW_1(htrunc, h2trunc, truncf(a))
LOCKSTEP_NARROW_1(hsqrt, h2sqrt, sqrtf(a))
LOCKSTEP_NARROW_1(hrsqrt, h2rsqrt, rsqrtf(a))
LOCKSTEP_NARROW_1(hrcp, h2rcp, 1.0f / a)
LOCKSTEP_NARROW_1(hlog, h2log, logf(a))
LOCKSTEP_NARROW_1(hlog2, h2log2, log2f(a))
LOCKSTEP_NARROW_1(hlog10, h2log10, log10f(a))
LOCKSTEP_NARROW_1(hexp, h2exp, expf(a))
LOCKSTEP_NARROW_1(hexp2, h2exp2, exp2f(a))
LOCKSTEP_NARROW_1(hexp10, h2exp10, exp10f(a))
LOCKSTEP_NARROW_1(hsin, h2sin, sinf(a))
LOCKSTEP_NARROW_1(hcos, h2cos, cosf(a))
LOCKSTEP_NARROW_1(htanh, h2tanh, tanhf(a))
LOCKSTEP_NARROW_1(htanh_approx, h2tanh_approx, tanhf(a))

#undef LOCKSTEP_NARROW_1
#undef LOCKSTEP_NARROW_2
#undef LOCKSTEP_NARROW_FMA
#undef LOCKSTEP_NARROW_COMPARE

template <class F>
bool __hisnan(lockstep::simt::cuda::Narrow<F> x) {
    return isnan(static_cast<float>(x));
}
// 1 for +infinity, -1 for -infinity.
template <class F>
int __hisinf(lockstep::simt::cuda::Narrow<F> x) {
    return isinf(static_cast<float>(x)) ? (x.bits & F::sign ? -1 : 1) : 0;
}
template <class F>
lockstep::simt::cuda::NarrowPair<F> __hisnan2(lockstep::simt::cuda::NarrowPair<F> p) {
    return {__hisnan(p.x) ? 1.0f : 0.0f, __hisnan(p.y) ? 1.0f : 0.0f};
}

// Shuffles and atomics exchange the bits.
#define LOCKSTEP_NARROW_SHUFFLE(name, Offset)                                                                         \
    template <class F>                                                                                                \
    lockstep::simt::cuda::Narrow<F> name(unsigned mask, lockstep::simt::cuda::Narrow<F> value, Offset offset,         \
                                         int width = 32, LOCKSTEP_HERE) {                                             \
        return value.from_bits(static_cast<typename F::Bits>(name(mask, int{value.bits}, offset, width, site)));      \
    }                                                                                                                 \
    template <class F>                                                                                                \
    lockstep::simt::cuda::NarrowPair<F> name(unsigned mask, lockstep::simt::cuda::NarrowPair<F> value, Offset offset, \
                                             int width = 32, LOCKSTEP_HERE) {                                         \
        using Pair = lockstep::simt::cuda::NarrowPair<F>;                                                             \
        return std::bit_cast<Pair>(name(mask, std::bit_cast<unsigned>(value), offset, width, site));                  \
    }
LOCKSTEP_NARROW_SHUFFLE(__shfl_sync, int)
LOCKSTEP_NARROW_SHUFFLE(__shfl_up_sync, unsigned)
LOCKSTEP_NARROW_SHUFFLE(__shfl_down_sync, unsigned)
LOCKSTEP_NARROW_SHUFFLE(__shfl_xor_sync, int)
#undef LOCKSTEP_NARROW_SHUFFLE
// NOLINTEND(bugprone-reserved-identifier)

template <class F>
lockstep::simt::cuda::Narrow<F> atomicAdd(lockstep::simt::cuda::Narrow<F>* address,
                                          lockstep::simt::cuda::Narrow<F> value) {
    return lockstep::simt::emulator::scoped_update(
        address, [=](auto old) { return old + value; }, __ATOMIC_RELAXED, lockstep::simt::emulator::Scope::device);
}
// Both numbers of the pair are added, each atomically.
template <class F>
lockstep::simt::cuda::NarrowPair<F> atomicAdd(lockstep::simt::cuda::NarrowPair<F>* address,
                                              lockstep::simt::cuda::NarrowPair<F> value) {
    return lockstep::simt::emulator::scoped_update(
        address, [=](auto old) { return old + value; }, __ATOMIC_RELAXED, lockstep::simt::emulator::Scope::device);
}
