#pragma once
// What lanes do, written down by the emulator, for kernels that exist to be looked at: trace() notes that the calling
// lane is at `label` in `step` of its loop and, where given, touches element `index` of an array. On CUDA it is
// nothing.

#include "harness/simt/kernel.hpp"

#if defined(LOCKSTEP_EMULATOR) && !defined(__CUDACC__)
#include "harness/simt/emulator/tracing.hpp"
#else

namespace lockstep::simt::LOCKSTEP_MACHINE {

inline constexpr long long no_index = -1;

__device__ inline void trace(unsigned, char const*, long long = no_index) {}

}  // namespace lockstep::simt::LOCKSTEP_MACHINE

#endif
