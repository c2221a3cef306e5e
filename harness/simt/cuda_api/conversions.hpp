#pragma once
// Conversions between numbers in a stated rounding mode, and reinterpretations of bits. Conversions to integers
// saturate. NaN becomes 0 as a 32-bit integer if it comes from a float, and otherwise the integer with only the top bit
// set (PTX ISA, cvt).

#include <math.h>

#include <bit>
#include <limits>
#include <type_traits>

namespace lockstep::simt::cuda {

enum class Rounding { rn, rz, ru, rd };

template <class F>
F to_integral(F x, Rounding rounding) {
    switch (rounding) {
        case Rounding::rn:
            return std::is_same_v<F, float> ? static_cast<F>(rintf(static_cast<float>(x))) : static_cast<F>(rint(x));
        case Rounding::rz:
            return static_cast<F>(trunc(x));
        case Rounding::ru:
            return static_cast<F>(ceil(x));
        default:
            return static_cast<F>(floor(x));
    }
}

template <class I, class F>
I float_to_integer(F x, Rounding rounding) {
    using Limits = std::numeric_limits<I>;
    if (x != x) {
        bool const is_zero = sizeof(I) <= 4 && sizeof(F) <= 4;
        return is_zero ? I{0} : static_cast<I>(std::make_unsigned_t<I>{1} << (8 * sizeof(I) - 1));
    }
    // Two to the number of value bits is exact, unlike the largest integer.
    F const end = static_cast<F>(ldexp(1.0, Limits::digits));
    F const whole = to_integral(x, rounding);
    if (whole >= end) {
        return Limits::max();
    }
    if (whole < static_cast<F>(Limits::min())) {
        return Limits::min();
    }
    return static_cast<I>(whole);
}

// `nearest` is x rounded to nearest, and `side` is negative, zero or positive as it is below, equal to or above x.
template <class F>
F directed(F nearest, int side, bool is_negative, Rounding rounding) {
    constexpr F infinity = std::numeric_limits<F>::infinity();
    bool const down = rounding == Rounding::rd || (rounding == Rounding::rz && !is_negative);
    bool const up = rounding == Rounding::ru || (rounding == Rounding::rz && is_negative);
    if (side > 0 && down) {
        return static_cast<F>(std::is_same_v<F, float> ? nextafterf(static_cast<float>(nearest), -HUGE_VALF)
                                                       : nextafter(nearest, -static_cast<double>(infinity)));
    }
    if (side < 0 && up) {
        return static_cast<F>(std::is_same_v<F, float> ? nextafterf(static_cast<float>(nearest), HUGE_VALF)
                                                       : nextafter(nearest, static_cast<double>(infinity)));
    }
    return nearest;
}

template <class F, class I>
F integer_to_float(I x, Rounding rounding) {
    __extension__ using Wide = __int128;
    F const nearest = static_cast<F>(x);
    Wide const exact = static_cast<Wide>(x);
    Wide const got = static_cast<Wide>(nearest);
    return directed(nearest, got < exact ? -1 : got > exact, exact < 0, rounding);
}

inline float double_to_float(double x, Rounding rounding) {
    float const nearest = static_cast<float>(x);
    double const got = static_cast<double>(nearest);
    return directed(nearest, got < x ? -1 : got > x, x < 0, rounding);
}

}  // namespace lockstep::simt::cuda

#define LOCKSTEP_CONVERSION(name, From, To, function)                                                             \
    inline To name##_rn(From x) { return lockstep::simt::cuda::function(x, lockstep::simt::cuda::Rounding::rn); } \
    inline To name##_rz(From x) { return lockstep::simt::cuda::function(x, lockstep::simt::cuda::Rounding::rz); } \
    inline To name##_ru(From x) { return lockstep::simt::cuda::function(x, lockstep::simt::cuda::Rounding::ru); } \
    inline To name##_rd(From x) { return lockstep::simt::cuda::function(x, lockstep::simt::cuda::Rounding::rd); }

// NOLINTBEGIN(bugprone-reserved-identifier): the names are CUDA's.
LOCKSTEP_CONVERSION(__float2int, float, int, float_to_integer<int>)
LOCKSTEP_CONVERSION(__float2uint, float, unsigned, float_to_integer<unsigned>)
LOCKSTEP_CONVERSION(__float2ll, float, long long, float_to_integer<long long>)
LOCKSTEP_CONVERSION(__float2ull, float, unsigned long long, float_to_integer<unsigned long long>)
LOCKSTEP_CONVERSION(__double2int, double, int, float_to_integer<int>)
LOCKSTEP_CONVERSION(__double2uint, double, unsigned, float_to_integer<unsigned>)
LOCKSTEP_CONVERSION(__double2ll, double, long long, float_to_integer<long long>)
LOCKSTEP_CONVERSION(__double2ull, double, unsigned long long, float_to_integer<unsigned long long>)
LOCKSTEP_CONVERSION(__int2float, int, float, integer_to_float<float>)
LOCKSTEP_CONVERSION(__uint2float, unsigned, float, integer_to_float<float>)
LOCKSTEP_CONVERSION(__ll2float, long long, float, integer_to_float<float>)
LOCKSTEP_CONVERSION(__ull2float, unsigned long long, float, integer_to_float<float>)
LOCKSTEP_CONVERSION(__ll2double, long long, double, integer_to_float<double>)
LOCKSTEP_CONVERSION(__ull2double, unsigned long long, double, integer_to_float<double>)
LOCKSTEP_CONVERSION(__double2float, double, float, double_to_float)
inline double __int2double_rn(int x) { return x; }
inline double __uint2double_rn(unsigned x) { return x; }

inline int __float_as_int(float x) { return std::bit_cast<int>(x); }
inline unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
inline float __int_as_float(int x) { return std::bit_cast<float>(x); }
inline float __uint_as_float(unsigned x) { return std::bit_cast<float>(x); }
inline long long __double_as_longlong(double x) { return std::bit_cast<long long>(x); }
inline double __longlong_as_double(long long x) { return std::bit_cast<double>(x); }
inline int __double2hiint(double x) { return static_cast<int>(std::bit_cast<long long>(x) >> 32); }
inline int __double2loint(double x) { return static_cast<int>(std::bit_cast<long long>(x)); }
inline double __hiloint2double(int high, int low) {
    return std::bit_cast<double>(static_cast<unsigned long long>(static_cast<unsigned>(high)) << 32 |
                                 static_cast<unsigned>(low));
}

inline int float_as_int(float x) { return std::bit_cast<int>(x); }
inline unsigned float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
inline float int_as_float(int x) { return std::bit_cast<float>(x); }
inline float uint_as_float(unsigned x) { return std::bit_cast<float>(x); }
// NOLINTEND(bugprone-reserved-identifier)

#undef LOCKSTEP_CONVERSION
