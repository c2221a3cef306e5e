#pragma once
// The kernel header on CUDA (nvcc and NVRTC): CUDA's own names, and the few that CUDA spells otherwise. Freestanding.

#define LOCKSTEP_NOINLINE __noinline__

namespace lockstep::simt::cuda {

// A member of a kernel's shared-memory struct. Plain here; the emulator watches each access.
template <class T>
using Shared = T;
template <class T, unsigned n>
using SharedArray = T[n];

// The block's shared memory, as the kernel's struct. Its size is LaunchShape::shared_bytes. Unset at first.
template <class Struct>
__device__ inline Struct& shared_memory() {
    extern __shared__ __align__(16) unsigned char lockstep_shared_memory[];
    return *reinterpret_cast<Struct*>(lockstep_shared_memory);
}

// Accesses that may meet others of the same word, and order nothing: the value is one that was stored, no more.
template <class T>
__device__ inline T load_relaxed(T const* address) {
    return *static_cast<T const volatile*>(address);
}

template <class T>
__device__ inline void store_relaxed(T* address, T value) {
    *static_cast<T volatile*>(address) = value;
}

// A load that sees what was written before the store_release or add_release_acquire whose value it reads, by any block.
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

}  // namespace lockstep::simt::cuda

#include "harness/simt/indices.hpp"
