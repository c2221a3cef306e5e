#pragma once
// half: 5 bits of exponent, 10 of fraction.

#include "harness/simt/cuda_api/narrow_functions.hpp"

namespace lockstep::simt::cuda {

using HalfFormat = Format<unsigned short, 5, 10>;

}  // namespace lockstep::simt::cuda

// NOLINTBEGIN(bugprone-reserved-identifier): the names are CUDA's.
using __half = lockstep::simt::cuda::Narrow<lockstep::simt::cuda::HalfFormat>;
using __half2 = lockstep::simt::cuda::NarrowPair<lockstep::simt::cuda::HalfFormat>;
using __half_raw = __half;
using half = __half;
using half2 = __half2;

inline half2 make_half2(half low, half high) { return {low, high}; }
inline half2 __halves2half2(half low, half high) { return {low, high}; }

#define LOCKSTEP_FORMAT lockstep::simt::cuda::HalfFormat
#define LOCKSTEP_ONE __half
#define LOCKSTEP_TWO __half2
#define LOCKSTEP_NAME(before, after) before##half##after
#define LOCKSTEP_NAME2(before, after) before##half2half2##after
#define LOCKSTEP_PAIR(before, after) before##half2##after
#include "harness/simt/cuda_api/narrow_conversions.hpp"

#define CUDART_INF_FP16 __ushort_as_half(0x7C00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7FFF)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7BFF)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000)
#define CUDART_ONE_FP16 __ushort_as_half(0x3C00)
// NOLINTEND(bugprone-reserved-identifier)
