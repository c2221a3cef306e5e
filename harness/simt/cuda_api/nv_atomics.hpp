#pragma once
// nvcc's atomic functions with memory orders and thread scopes, as far as this tree's kernels use them. Every access is
// one of harness/simt/emulator/scoped_access.hpp.

#include "harness/simt/cuda_api/atomics.hpp"

// NOLINTBEGIN(bugprone-reserved-identifier): the names are CUDA's.
enum {
    __NV_ATOMIC_RELAXED = __ATOMIC_RELAXED,
    __NV_ATOMIC_CONSUME = __ATOMIC_CONSUME,
    __NV_ATOMIC_ACQUIRE = __ATOMIC_ACQUIRE,
    __NV_ATOMIC_RELEASE = __ATOMIC_RELEASE,
    __NV_ATOMIC_ACQ_REL = __ATOMIC_ACQ_REL,
    __NV_ATOMIC_SEQ_CST = __ATOMIC_SEQ_CST
};
enum {
    __NV_THREAD_SCOPE_THREAD,
    __NV_THREAD_SCOPE_BLOCK,
    __NV_THREAD_SCOPE_CLUSTER,
    __NV_THREAD_SCOPE_DEVICE,
    __NV_THREAD_SCOPE_SYSTEM
};

namespace lockstep::simt::cuda {

// A cluster is taken for its blocks, as the emulator has none.
constexpr emulator::Scope scope_of(int scope) {
    return scope == __NV_THREAD_SCOPE_SYSTEM   ? emulator::Scope::system
           : scope == __NV_THREAD_SCOPE_DEVICE ? emulator::Scope::device
           : scope == __NV_THREAD_SCOPE_THREAD ? emulator::Scope::lane
                                               : emulator::Scope::block;
}

}  // namespace lockstep::simt::cuda

template <lockstep::simt::cuda::AtomicInteger T>
T __nv_atomic_load_n(T* address, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    return lockstep::simt::emulator::scoped_load(address, order, lockstep::simt::cuda::scope_of(scope));
}

template <lockstep::simt::cuda::AtomicInteger T>
void __nv_atomic_store_n(T* address, lockstep::simt::cuda::Same<T> value, int order,
                         int scope = __NV_THREAD_SCOPE_SYSTEM) {
    lockstep::simt::emulator::scoped_store(address, value, order, lockstep::simt::cuda::scope_of(scope));
}

template <lockstep::simt::cuda::AtomicNumber T>
T __nv_atomic_fetch_add(T* address, lockstep::simt::cuda::Same<T> value, int order,
                        int scope = __NV_THREAD_SCOPE_SYSTEM) {
    return lockstep::simt::emulator::scoped_update(
        address, [=](T old) { return lockstep::simt::cuda::wrapping_add(old, value); }, order,
        lockstep::simt::cuda::scope_of(scope));
}
// NOLINTEND(bugprone-reserved-identifier)
