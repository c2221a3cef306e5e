#pragma once
// The API that kernels use: one header for three compilers. nvcc and NVRTC see CUDA's own names; the host compiler sees
// the SIMT emulator's equivalents. On CUDA it includes no standard header, so NVRTC can read it without an include
// path.
//
//   indices         threadIdx blockIdx blockDim gridDim, lane_id() warp_id() warps_in_block()
//   barriers        __syncthreads, __syncthreads_count/_and/_or, __syncwarp, grid_barrier
//   warp            __ballot_sync __any_sync __all_sync, __shfl[_up|_down|_xor]_sync, __match_any/all_sync,
//                   __reduce_add|min|max|and|or|xor_sync: always with an explicit mask (no __activemask)
//   atomics         atomicAdd Sub Exch CAS Min Max And Or Xor Inc, load_relaxed store_relaxed,
//                   load_acquire store_release add_release_acquire
//   intrinsics      __popc[ll] __clz[ll] __ffs[ll] __brev __umulhi __umul64hi __funnelshift_l/r
//                   __byte_perm __float_as_uint __uint_as_float fmaf fma __ldg __threadfence __nanosleep
//   clock_ticks()      advances with time on CUDA; 0 on other machines, whose runs would differ by it
//   LOCKSTEP_NOINLINE  marks a device function that must not be inlined
//   shared memory   auto& shared = shared_memory<MyStruct>(); members Shared<T> and SharedArray<T, n>
//
// Device code is in a namespace that ends in LOCKSTEP_MACHINE (`cuda`, `emulator` or `cpu`), so that one program can
// contain all builds of it. Shared sources must not use <<<>>>, PTX, cooperative groups, CUB, Thrust or cuRAND.

#if defined(__CUDACC__)
#define LOCKSTEP_MACHINE cuda
#include "harness/simt/cuda_kernel.hpp"
#elif defined(LOCKSTEP_EMULATOR)
#define LOCKSTEP_MACHINE emulator
#include "harness/simt/emulator/kernel.hpp"
#else
#define LOCKSTEP_MACHINE cpu
#include "harness/simt/cpu_kernel.hpp"
#endif
