#pragma once
// bfloat16: 8 bits of exponent, 7 of fraction.

#include "harness/simt/cuda_api/narrow_functions.hpp"

namespace lockstep::simt::cuda {

using Bfloat16Format = Format<unsigned short, 8, 7>;

}  // namespace lockstep::simt::cuda

// NOLINTBEGIN(bugprone-reserved-identifier): the names are CUDA's.
using __nv_bfloat16 = lockstep::simt::cuda::Narrow<lockstep::simt::cuda::Bfloat16Format>;
using __nv_bfloat162 = lockstep::simt::cuda::NarrowPair<lockstep::simt::cuda::Bfloat16Format>;
using __nv_bfloat16_raw = __nv_bfloat16;
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

inline __nv_bfloat162 make_bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) { return {low, high}; }
inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) { return {low, high}; }

#define LOCKSTEP_FORMAT lockstep::simt::cuda::Bfloat16Format
#define LOCKSTEP_ONE __nv_bfloat16
#define LOCKSTEP_TWO __nv_bfloat162
#define LOCKSTEP_NAME(before, after) before##bfloat16##after
#define LOCKSTEP_NAME2(before, after) before##bfloat162bfloat162##after
#define LOCKSTEP_PAIR(before, after) before##bfloat162##after
#include "harness/simt/cuda_api/narrow_conversions.hpp"

#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7F80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7FFF)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3F80)
// NOLINTEND(bugprone-reserved-identifier)
