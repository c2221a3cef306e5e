#pragma once
// Floating-point numbers of 16 and 8 bits: half, bfloat16 and the two of 8 bits. A value is stored in its format; an
// operation is done in float and rounded once, which is the correctly rounded result (float has more than twice the
// digits plus two; fma sums to odd).

#include <math.h>

#include <bit>
#include <cstdint>
#include <type_traits>

#include "harness/simt/cuda_api/conversions.hpp"

namespace lockstep::simt::cuda {

template <class BitsType, int exponent_width, int fraction_width>
struct Format {
    using Bits = BitsType;
    static constexpr int fraction_bits = fraction_width;
    static constexpr int bias = (1 << (exponent_width - 1)) - 1;
    static constexpr Bits sign = static_cast<Bits>(1u << (exponent_width + fraction_width));
    static constexpr Bits infinity = static_cast<Bits>(((1u << exponent_width) - 1) << fraction_width);
    static constexpr Bits nan = static_cast<Bits>(sign - 1);  // CUDA's canonical NaN
};

// encode and decode are called for each operation and use no memory of the program, so its checks pass over them.
#define LOCKSTEP_UNCHECKED __attribute__((no_sanitize("thread")))

// Rounds x to the format once. Overflow gives infinity or the largest finite number, as the rounding mode says.
template <class F>
LOCKSTEP_UNCHECKED constexpr typename F::Bits encode(double x, Rounding rounding = Rounding::rn) {
    using Bits = typename F::Bits;
    auto const word = std::bit_cast<std::uint64_t>(x);
    Bits const sign = (word >> 63) != 0 ? F::sign : Bits{0};
    int const field = static_cast<int>(word >> 52 & 0x7FF);
    std::uint64_t const fraction = word & ((std::uint64_t{1} << 52) - 1);
    if (field == 0x7FF) {
        return fraction != 0 ? F::nan : static_cast<Bits>(sign | F::infinity);
    }
    std::uint64_t const significand = field == 0 ? fraction : fraction | std::uint64_t{1} << 52;
    int const exponent = field == 0 ? -1022 : field - 1023;
    constexpr int least = 1 - F::bias;
    int const scale = exponent > least ? exponent : least;
    int const dropped = scale - F::fraction_bits - (exponent - 52);  // at least 42 bits
    std::uint64_t kept = dropped > 63 ? 0 : significand >> dropped;
    bool const is_inexact = significand != 0 && (dropped > 63 || kept << dropped != significand);
    bool up = is_inexact && (rounding == Rounding::ru ? sign == 0 : rounding == Rounding::rd && sign != 0);
    if (rounding == Rounding::rn && dropped <= 63) {
        std::uint64_t const half = std::uint64_t{1} << (dropped - 1);
        std::uint64_t const rest = significand & (2 * half - 1);
        up = rest > half || (rest == half && (kept & 1) != 0);
    }
    kept += up;
    std::uint64_t const code = (static_cast<std::uint64_t>(scale - least) << F::fraction_bits) + kept;
    if (code < F::infinity) {
        return static_cast<Bits>(sign | code);
    }
    bool const to_infinity =
        rounding == Rounding::rn || (rounding == Rounding::ru && sign == 0) || (rounding == Rounding::rd && sign != 0);
    return static_cast<Bits>(sign | (to_infinity ? F::infinity : F::infinity - 1));
}

template <class F>
LOCKSTEP_UNCHECKED float decode(typename F::Bits bits) {
    unsigned const code = bits & (F::sign - 1u);
    bool const is_negative = (bits & F::sign) != 0;
    unsigned const field = code >> F::fraction_bits;
    unsigned const fraction = code & ((1u << F::fraction_bits) - 1);
    float size;
    if (code >= F::infinity) {
        size = fraction != 0 ? NAN : HUGE_VALF;
    } else if (field == 0) {
        size = ldexpf(static_cast<float>(fraction), 1 - F::bias - F::fraction_bits);
    } else {
        size = std::bit_cast<float>(((field + 127u - static_cast<unsigned>(F::bias)) << 23) |
                                    fraction << (23 - F::fraction_bits));
    }
    return is_negative ? -size : size;
}

#undef LOCKSTEP_UNCHECKED

// A number of the format, which converts to float by itself, as CUDA's classes do.
template <class F>
struct Narrow {
    typename F::Bits bits;

    Narrow() = default;
    template <class T>
    requires std::is_arithmetic_v<T> Narrow(T value) : bits(encode<F>(widened(value))) {}
    operator float() const { return decode<F>(bits); }

    static constexpr Narrow from_bits(typename F::Bits bits) {
        Narrow result;
        result.bits = bits;
        return result;
    }

private:
    // Integers of 64 bits are rounded to odd, so that the second rounding is right.
    template <class T>
    static double widened(T value) {
        if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
            double const below = integer_to_float<double>(value, Rounding::rz);
            bool const is_exact = below == integer_to_float<double>(value, Rounding::ru) &&
                                  below == integer_to_float<double>(value, Rounding::rd);
            return is_exact ? below : std::bit_cast<double>(std::bit_cast<std::uint64_t>(below) | 1);
        } else {
            return static_cast<double>(value);
        }
    }
};

// Two numbers in one word.
template <class F>
struct alignas(2 * sizeof(typename F::Bits)) NarrowPair {
    Narrow<F> x, y;

    NarrowPair() = default;
    NarrowPair(Narrow<F> first, Narrow<F> second) : x(first), y(second) {}
};

#define LOCKSTEP_NARROW_OPERATOR(op)                                                         \
    template <class F>                                                                       \
    Narrow<F> operator op(Narrow<F> a, Narrow<F> b) {                                        \
        return static_cast<float>(a) op static_cast<float>(b);                               \
    }                                                                                        \
    template <class F>                                                                       \
    Narrow<F>& operator op##=(Narrow<F>& a, std::type_identity_t<Narrow<F>> b) {             \
        return a = static_cast<float>(a) op static_cast<float>(b);                           \
    }                                                                                        \
    template <class F>                                                                       \
    NarrowPair<F> operator op(NarrowPair<F> a, NarrowPair<F> b) {                            \
        return {a.x op b.x, a.y op b.y};                                                     \
    }                                                                                        \
    template <class F>                                                                       \
    NarrowPair<F>& operator op##=(NarrowPair<F>& a, std::type_identity_t<NarrowPair<F>> b) { \
        return a = a op b;                                                                   \
    }
LOCKSTEP_NARROW_OPERATOR(+)
LOCKSTEP_NARROW_OPERATOR(-)
LOCKSTEP_NARROW_OPERATOR(*)
LOCKSTEP_NARROW_OPERATOR(/)
#undef LOCKSTEP_NARROW_OPERATOR

#define LOCKSTEP_NARROW_COMPARISON(op)                         \
    template <class F>                                         \
    bool operator op(Narrow<F> a, Narrow<F> b) {               \
        return static_cast<float>(a) op static_cast<float>(b); \
    }                                                          \
    template <class F>                                         \
    bool operator op(NarrowPair<F> a, NarrowPair<F> b) {       \
        return a.x op b.x && a.y op b.y;                       \
    }
LOCKSTEP_NARROW_COMPARISON(==)
LOCKSTEP_NARROW_COMPARISON(!=)
LOCKSTEP_NARROW_COMPARISON(<)
LOCKSTEP_NARROW_COMPARISON(>)
LOCKSTEP_NARROW_COMPARISON(<=)
LOCKSTEP_NARROW_COMPARISON(>=)
#undef LOCKSTEP_NARROW_COMPARISON

template <class F>
Narrow<F> operator-(Narrow<F> a) {
    return Narrow<F>::from_bits(static_cast<typename F::Bits>(a.bits ^ F::sign));
}
template <class F>
Narrow<F> operator+(Narrow<F> a) {
    return a;
}
template <class F>
NarrowPair<F> operator-(NarrowPair<F> a) {
    return {-a.x, -a.y};
}
template <class F>
Narrow<F>& operator++(Narrow<F>& a) {
    return a += Narrow<F>(1.0f);
}
template <class F>
Narrow<F>& operator--(Narrow<F>& a) {
    return a -= Narrow<F>(1.0f);
}
template <class F>
Narrow<F> operator++(Narrow<F>& a, int) {
    Narrow<F> const before = a;
    ++a;
    return before;
}
template <class F>
Narrow<F> operator--(Narrow<F>& a, int) {
    Narrow<F> const before = a;
    --a;
    return before;
}

}  // namespace lockstep::simt::cuda
