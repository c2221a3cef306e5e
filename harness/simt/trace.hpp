#pragma once
// Tracing of lanes in the emulator, for kernels that are visualised. trace() records that the calling lane is at
// `label` in `step` of its loop and, optionally, accesses element `index` of an array. On CUDA it does nothing.

#include "harness/simt/kernel.hpp"

#if defined(LOCKSTEP_EMULATOR) && !defined(__CUDACC__)
#include "harness/simt/emulator/tracing.hpp"
#else

namespace lockstep::simt::LOCKSTEP_MACHINE {

inline constexpr long long no_index = -1;

__device__ inline void trace(unsigned, char const*, long long = no_index) {}

}  // namespace lockstep::simt::LOCKSTEP_MACHINE

#endif
