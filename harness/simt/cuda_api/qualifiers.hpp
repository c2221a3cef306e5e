#pragma once
// CUDA's qualifiers, for a foreign program that the host compiler compiles. The translator rewrites __shared__ and
// <<<>>> itself; the other qualifiers mean nothing here.

// NOLINTBEGIN(bugprone-reserved-identifier): the names are CUDA's.
#define __host__
#define __device__
#if defined(LOCKSTEP_WHOLE_VECTORS)
// For counters: nvcc inlines what a kernel calls. A kernel inlined into its caller would be counted on the caller's
// lines.
#define __global__ __attribute__((flatten, noinline))
#else
// The runtime finds a kernel by the code that runs (kernel_entries.hpp), so each keeps code of its own.
#define __global__ __attribute__((noinline, noclone, no_icf))
#endif
#define __constant__
#define __managed__
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __maxnreg__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __device_builtin__
#define __cudart_builtin__
#define __nv_pure__
#define CUDARTAPI
#define CUDART_CB
#define CUDAAPI
#define CUDA_CB
// NOLINTEND(bugprone-reserved-identifier)

// libstdc++ writes __attribute__((__noinline__)). Its headers that do so are included before this macro.
#include <memory>
#define __noinline__ __attribute__((noinline))

// A program sees CUDA 12 on a device of compute capability 8.0.
#define CUDART_VERSION 12080
#define CUDA_VERSION 12080
#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 8
#define __CUDACC_VER_BUILD__ 0
// A program asks by these whether the toolkit's headers are included: helper_cuda.h of NVIDIA's samples does.
#define __CUDA_RUNTIME_H__
#define __DRIVER_TYPES_H__
