#pragma once
// CUDA's per-lane intrinsics for the host compiler, with the semantics of the CUDA Math API.

#include <bit>

#include "harness/simt/emulator/integers.hpp"

// Declared here instead of including <cmath>, which is longer than all other headers of a generated kernel together,
// and generated kernels are compiled at run time. A kernel that needs more of <cmath> includes it.
extern "C" double fma(double x, double y, double z) noexcept;
extern "C" float fmaf(float x, float y, float z) noexcept;

// NOLINTBEGIN(bugprone-reserved-identifier): the names are CUDA's.
inline unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
inline float __uint_as_float(unsigned x) { return std::bit_cast<float>(x); }
inline int __float_as_int(float x) { return std::bit_cast<int>(x); }
inline float __int_as_float(int x) { return std::bit_cast<float>(x); }
inline long long __double_as_longlong(double x) { return std::bit_cast<long long>(x); }
inline double __longlong_as_double(long long x) { return std::bit_cast<double>(x); }

template <class T>
T __ldg(T const* address) {
    return *address;
}
// NOLINTEND(bugprone-reserved-identifier)

// CUDA's vector types, with which kernels load and store 16 or 8 bytes at a time.
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
struct alignas(8) uint2 {
    unsigned x, y;
};
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
