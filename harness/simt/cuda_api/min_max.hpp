#pragma once
// Global min and max for the argument types for which CUDA declares them. Others are ambiguous, as with nvcc.

#include <math.h>

#define LOCKSTEP_MIN_MAX(A, B, R)                                                             \
    constexpr R min(A a, B b) {                                                               \
        return static_cast<R>(a) < static_cast<R>(b) ? static_cast<R>(a) : static_cast<R>(b); \
    }                                                                                         \
    constexpr R max(A a, B b) { return static_cast<R>(a) > static_cast<R>(b) ? static_cast<R>(a) : static_cast<R>(b); }
#define LOCKSTEP_MIN_MAX_OF_WIDTH(S, U) \
    LOCKSTEP_MIN_MAX(S, S, S)           \
    LOCKSTEP_MIN_MAX(U, U, U)           \
    LOCKSTEP_MIN_MAX(S, U, U)           \
    LOCKSTEP_MIN_MAX(U, S, U)

LOCKSTEP_MIN_MAX_OF_WIDTH(int, unsigned)
LOCKSTEP_MIN_MAX_OF_WIDTH(long, unsigned long)
LOCKSTEP_MIN_MAX_OF_WIDTH(long long, unsigned long long)

#undef LOCKSTEP_MIN_MAX_OF_WIDTH
#undef LOCKSTEP_MIN_MAX

// One NaN is ignored.
inline float min(float a, float b) { return fminf(a, b); }
inline float max(float a, float b) { return fmaxf(a, b); }
inline double min(double a, double b) { return fmin(a, b); }
inline double max(double a, double b) { return fmax(a, b); }
inline double min(float a, double b) { return fmin(a, b); }
inline double max(float a, double b) { return fmax(a, b); }
inline double min(double a, float b) { return fmin(a, b); }
inline double max(double a, float b) { return fmax(a, b); }

constexpr unsigned umin(unsigned a, unsigned b) { return min(a, b); }
constexpr unsigned umax(unsigned a, unsigned b) { return max(a, b); }
constexpr long long llmin(long long a, long long b) { return min(a, b); }
constexpr long long llmax(long long a, long long b) { return max(a, b); }
constexpr unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
constexpr unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }
