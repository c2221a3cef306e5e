#pragma once
// CUDA's function qualifiers, which are empty for the host compiler.

// NOLINTBEGIN(bugprone-reserved-identifier): the names are CUDA's.
#define __host__
#define __device__
#define __global__
#if defined(__OPTIMIZE__)
#define __forceinline__ inline __attribute__((always_inline))
#else
#define __forceinline__ inline  // without optimisation, inlining only adds compile time
#endif
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))
#define LOCKSTEP_NOINLINE __attribute__((noinline))
// NOLINTEND(bugprone-reserved-identifier)
