#pragma once
// Arithmetic in a stated rounding mode: nearest even (rn), towards zero (rz), up (ru), down (rd). No operation is fused
// with another.

#include <fenv.h>
#include <math.h>

namespace lockstep::simt::cuda {

// Calls operation(a, b, c) in rounding mode `mode` of <fenv.h>. Volatile operands keep the compiler from moving the
// operation out of the mode, or computing it itself.
template <class T, class Operation>
T rounded(int mode, Operation operation, T a, T b = 0, T c = 0) {
    T volatile x = a, y = b, z = c, result;
    int const before = fegetround();
    fesetround(mode);
    result = operation(T(x), T(y), T(z));
    fesetround(before);
    return result;
}

template <class T, class Operation>
T to_nearest(Operation operation, T a, T b = 0, T c = 0) {
    return operation(a, b, c);
}

}  // namespace lockstep::simt::cuda

// `expression` is in x, y and z, the operands a, b and c of the function.
#define LOCKSTEP_OPERATION(T, expression) \
    []([[maybe_unused]] T x, [[maybe_unused]] T y, [[maybe_unused]] T z) { return expression; }
#define LOCKSTEP_ROUNDED(T, name, mode, expression, ...)                                                     \
    inline T name(__VA_ARGS__) {                                                                             \
        return lockstep::simt::cuda::rounded<T>(mode, LOCKSTEP_OPERATION(T, expression), LOCKSTEP_OPERANDS); \
    }
#define LOCKSTEP_IN_ALL_MODES(T, name, expression, ...)                                                   \
    LOCKSTEP_ROUNDED(T, name##_rz, FE_TOWARDZERO, expression, __VA_ARGS__)                                \
    LOCKSTEP_ROUNDED(T, name##_ru, FE_UPWARD, expression, __VA_ARGS__)                                    \
    LOCKSTEP_ROUNDED(T, name##_rd, FE_DOWNWARD, expression, __VA_ARGS__)                                  \
    inline T name##_rn(__VA_ARGS__) {                                                                     \
        return lockstep::simt::cuda::to_nearest<T>(LOCKSTEP_OPERATION(T, expression), LOCKSTEP_OPERANDS); \
    }

// NOLINTBEGIN(bugprone-reserved-identifier): the names are CUDA's.
#define LOCKSTEP_OPERANDS a, b
LOCKSTEP_IN_ALL_MODES(float, __fadd, x + y, float a, float b)
LOCKSTEP_IN_ALL_MODES(float, __fsub, x - y, float a, float b)
LOCKSTEP_IN_ALL_MODES(float, __fmul, (x * y), float a, float b)
LOCKSTEP_IN_ALL_MODES(float, __fdiv, x / y, float a, float b)
LOCKSTEP_IN_ALL_MODES(double, __dadd, x + y, double a, double b)
LOCKSTEP_IN_ALL_MODES(double, __dsub, x - y, double a, double b)
LOCKSTEP_IN_ALL_MODES(double, __dmul, (x * y), double a, double b)
LOCKSTEP_IN_ALL_MODES(double, __ddiv, x / y, double a, double b)
#undef LOCKSTEP_OPERANDS
#define LOCKSTEP_OPERANDS a, b, c
LOCKSTEP_IN_ALL_MODES(float, __fmaf, fmaf(x, y, z), float a, float b, float c)
LOCKSTEP_IN_ALL_MODES(float, __fmaf_ieee, fmaf(x, y, z), float a, float b, float c)
LOCKSTEP_IN_ALL_MODES(double, __fma, fma(x, y, z), double a, double b, double c)
#undef LOCKSTEP_OPERANDS
#define LOCKSTEP_OPERANDS a
LOCKSTEP_IN_ALL_MODES(float, __frcp, 1.0f / x, float a)
LOCKSTEP_IN_ALL_MODES(float, __fsqrt, sqrtf(x), float a)
LOCKSTEP_IN_ALL_MODES(double, __drcp, 1.0 / x, double a)
LOCKSTEP_IN_ALL_MODES(double, __dsqrt, sqrt(x), double a)
#undef LOCKSTEP_OPERANDS

inline float __frsqrt_rn(float x) { return static_cast<float>(1.0 / sqrt(static_cast<double>(x))); }
// NOLINTEND(bugprone-reserved-identifier)

#undef LOCKSTEP_IN_ALL_MODES
#undef LOCKSTEP_ROUNDED
#undef LOCKSTEP_OPERATION
