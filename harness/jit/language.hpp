#pragma once
// Names that the code of every user's file can use: types and a few functions. Freestanding, and short, because it is
// compiled with every file.

#include "harness/simt/kernel.hpp"

namespace lockstep::jit::LOCKSTEP_MACHINE {

using u32 = unsigned;
using i32 = int;
using f32 = float;
using u64 = unsigned long long;
using i64 = long long;
using f64 = double;

__device__ inline u64 bits_of(u32 value) { return value; }
__device__ inline u64 bits_of(i32 value) { return static_cast<u32>(value); }
__device__ inline u64 bits_of(u64 value) { return value; }
__device__ inline u64 bits_of(i64 value) { return static_cast<u64>(value); }
// Machines make different NaNs.
__device__ inline u64 bits_of(f32 value) { return value != value ? 0x7FC00000u : __float_as_uint(value); }
__device__ inline u64 bits_of(f64 value) {
    return value != value ? 0x7FF8000000000000ull : static_cast<u64>(__double_as_longlong(value));
}

__device__ inline void from_bits(u64 bits, u32& value) { value = static_cast<u32>(bits); }
__device__ inline void from_bits(u64 bits, i32& value) { value = static_cast<i32>(static_cast<u32>(bits)); }
__device__ inline void from_bits(u64 bits, u64& value) { value = bits; }
__device__ inline void from_bits(u64 bits, i64& value) { value = static_cast<i64>(bits); }
__device__ inline void from_bits(u64 bits, f32& value) { value = __uint_as_float(static_cast<u32>(bits)); }
__device__ inline void from_bits(u64 bits, f64& value) { value = __longlong_as_double(static_cast<i64>(bits)); }

// The value with these bits.
template <class T>
__device__ inline T from_bits(u64 bits) {
    T value;
    from_bits(bits, value);
    return value;
}

template <class T>
__device__ inline T min(T a, T b) {
    return b < a ? b : a;
}
template <class T>
__device__ inline T max(T a, T b) {
    return a < b ? b : a;
}
#if !defined(__CUDACC__)
inline f32 sqrt(f32 x) { return __builtin_sqrtf(x); }
inline f64 sqrt(f64 x) { return __builtin_sqrt(x); }
inline f32 floor(f32 x) { return __builtin_floorf(x); }
inline f64 floor(f64 x) { return __builtin_floor(x); }
inline f32 fabs(f32 x) { return __builtin_fabsf(x); }
inline f64 fabs(f64 x) { return __builtin_fabs(x); }
#endif

}  // namespace lockstep::jit::LOCKSTEP_MACHINE
