#pragma once
// Device mathematics that <cmath> does not have. Results are as accurate as the host's library, which is more accurate
// than a device's; they are not the device's bits.

#include <math.h>
#include <stdlib.h>
#include <cmath>

namespace lockstep::simt::cuda {

// The inverse of the complementary error function and of the normal distribution: error_inverses.cpp.
double inverse_erf(double x);
double inverse_erfc(double x);
double normal_quantile(double p);
double scaled_erfc(double x);

// sin(pi x) and cos(pi x) with an exact reduction of the argument.
double sine_of_pi(double x);
double cosine_of_pi(double x);

}  // namespace lockstep::simt::cuda

inline double rsqrt(double x) { return 1.0 / sqrt(x); }
inline float rsqrtf(float x) { return static_cast<float>(1.0 / sqrt(static_cast<double>(x))); }
inline float rsqrt(float x) { return rsqrtf(x); }
inline double rcbrt(double x) { return 1.0 / cbrt(x); }
inline float rcbrtf(float x) { return static_cast<float>(1.0 / cbrt(static_cast<double>(x))); }

inline double rhypot(double x, double y) { return 1.0 / hypot(x, y); }
inline float rhypotf(float x, float y) { return static_cast<float>(1.0 / hypot(x, y)); }
inline double norm3d(double a, double b, double c) { return hypot(hypot(a, b), c); }
inline float norm3df(float a, float b, float c) { return static_cast<float>(norm3d(a, b, c)); }
inline double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
inline float rnorm3df(float a, float b, float c) { return static_cast<float>(1.0 / norm3d(a, b, c)); }
inline double norm4d(double a, double b, double c, double d) { return hypot(hypot(a, b), hypot(c, d)); }
inline float norm4df(float a, float b, float c, float d) { return static_cast<float>(norm4d(a, b, c, d)); }
inline double rnorm4d(double a, double b, double c, double d) { return 1.0 / norm4d(a, b, c, d); }
inline float rnorm4df(float a, float b, float c, float d) { return static_cast<float>(1.0 / norm4d(a, b, c, d)); }
inline double norm(int dimensions, double const* values) {
    double result = 0;
    for (int i = 0; i < dimensions; ++i) {
        result = hypot(result, values[i]);
    }
    return result;
}
inline float normf(int dimensions, float const* values) {
    double result = 0;
    for (int i = 0; i < dimensions; ++i) {
        result = hypot(result, values[i]);
    }
    return static_cast<float>(result);
}

inline double sinpi(double x) { return lockstep::simt::cuda::sine_of_pi(x); }
inline double cospi(double x) { return lockstep::simt::cuda::cosine_of_pi(x); }
inline float sinpif(float x) { return static_cast<float>(sinpi(static_cast<double>(x))); }
inline float cospif(float x) { return static_cast<float>(cospi(static_cast<double>(x))); }
inline void sincospi(double x, double* sine, double* cosine) { *sine = sinpi(x), *cosine = cospi(x); }
inline void sincospif(float x, float* sine, float* cosine) { *sine = sinpif(x), *cosine = cospif(x); }
inline void sincos(float x, float* sine, float* cosine) { sincosf(x, sine, cosine); }

inline double erfinv(double x) { return lockstep::simt::cuda::inverse_erf(x); }
inline double erfcinv(double x) { return lockstep::simt::cuda::inverse_erfc(x); }
inline double erfcx(double x) { return lockstep::simt::cuda::scaled_erfc(x); }
inline double normcdf(double x) { return 0.5 * erfc(-x * M_SQRT1_2); }
inline double normcdfinv(double p) { return lockstep::simt::cuda::normal_quantile(p); }
inline float erfinvf(float x) { return static_cast<float>(erfinv(static_cast<double>(x))); }
inline float erfcinvf(float x) { return static_cast<float>(erfcinv(static_cast<double>(x))); }
inline float erfcxf(float x) { return static_cast<float>(erfcx(static_cast<double>(x))); }
inline float normcdff(float x) { return static_cast<float>(normcdf(static_cast<double>(x))); }
inline float normcdfinvf(float p) { return static_cast<float>(normcdfinv(static_cast<double>(p))); }

// Modified Bessel functions of the first kind, of order 0 and 1.
inline double cyl_bessel_i0(double x) { return std::cyl_bessel_i(0.0, fabs(x)); }
inline double cyl_bessel_i1(double x) { return copysign(std::cyl_bessel_i(1.0, fabs(x)), x); }
inline float cyl_bessel_i0f(float x) { return static_cast<float>(cyl_bessel_i0(x)); }
inline float cyl_bessel_i1f(float x) { return static_cast<float>(cyl_bessel_i1(x)); }

inline float fdividef(float x, float y) { return x / y; }
