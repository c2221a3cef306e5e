#pragma once
// Fast-math intrinsics. Their results here are those of the accurate functions; where CUDA documents another result for
// an argument (__powf of a negative base, __fdividef by a huge divisor), it is CUDA's.

#include <math.h>

// NOLINTBEGIN(bugprone-reserved-identifier): the names are CUDA's.
inline float __expf(float x) { return expf(x); }
inline float __exp10f(float x) { return exp10f(x); }
inline float __logf(float x) { return logf(x); }
inline float __log2f(float x) { return log2f(x); }
inline float __log10f(float x) { return log10f(x); }
inline float __sinf(float x) { return sinf(x); }
inline float __cosf(float x) { return cosf(x); }
inline float __tanf(float x) { return sinf(x) / cosf(x); }
inline float __tanhf(float x) { return tanhf(x); }
inline void __sincosf(float x, float* sine, float* cosine) { sincosf(x, sine, cosine); }
inline float __powf(float x, float y) { return exp2f(y * log2f(x)); }

// 0 for 2^126 < |y| < 2^128 and finite x, NaN for infinite x.
inline float __fdividef(float x, float y) {
    float const size = fabsf(y);
    bool const is_huge = size > 0x1p126f && size <= 3.40282347e38f;
    return is_huge ? x * 0.0f : x / y;
}
// NaN becomes +0.
inline float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }
inline float saturate(float x) { return __saturatef(x); }
// NOLINTEND(bugprone-reserved-identifier)
