#pragma once
// The kernel header for CUDA (nvcc and NVRTC): only the names that CUDA does not define itself. Freestanding.

#define LOCKSTEP_NOINLINE __noinline__

namespace lockstep::simt::cuda {

// A member of a kernel's shared-memory struct. A plain member on CUDA; the emulator checks each access.
template <class T>
using Shared = T;
template <class T, unsigned n>
using SharedArray = T[n];

// Returns the block's shared memory as the kernel's struct. Its size is LaunchShape::shared_bytes. Uninitialised.
template <class Struct>
__device__ inline Struct& shared_memory() {
    extern __shared__ __align__(16) unsigned char lockstep_shared_memory[];
    return *reinterpret_cast<Struct*>(lockstep_shared_memory);
}

// Accesses that may be concurrent with other accesses to the same word. They do not order memory: the only guarantee is
// that a loaded value was stored by some thread.
template <class T>
__device__ inline T load_relaxed(T const* address) {
    return *static_cast<T const volatile*>(address);
}

template <class T>
__device__ inline void store_relaxed(T* address, T value) {
    *static_cast<T volatile*>(address) = value;
}

// An acquire load. If it reads the value of a store_release or add_release_acquire, all earlier writes of that thread
// are visible after it, also across blocks.
template <class T>
__device__ inline T load_acquire(T const* address) {
    return __nv_atomic_load_n(const_cast<T*>(address), __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
}

template <class T>
__device__ inline void store_release(T* address, T value) {
    __nv_atomic_store_n(address, value, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
}

template <class T>
__device__ inline T add_release_acquire(T* address, T value) {
    return __nv_atomic_fetch_add(address, value, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE);
}

// A counter that advances with time, for measures that no result depends on. Compare values of one thread only.
__device__ inline unsigned long long clock_ticks() { return static_cast<unsigned long long>(clock64()); }

}  // namespace lockstep::simt::cuda

#include "harness/simt/indices.hpp"
