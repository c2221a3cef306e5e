#pragma once
// Atomics and memory ordering in the emulator. As on CUDA, atomics, load_relaxed and store_relaxed are relaxed: they do
// not order other accesses, and ThreadSanitizer enforces this. load_acquire, store_release and add_release_acquire do.
// An atomic yields to other lanes after it completes.

#include <type_traits>
#include <utility>

#include "harness/simt/emulator/runtime.hpp"
#include "harness/simt/emulator/scoped_access.hpp"
#include "harness/simt/emulator/shared_memory.hpp"

namespace lockstep::simt::emulator {

template <class T, class Update>
T update_atomically(T* address, Update update, WordUpdate how = update_of<T>) {
    T before;
    T after;
    {
        ScopeOfAccesses const told(Scope::device, how);
        __atomic_load(address, &before, __ATOMIC_RELAXED);
        after = update(before);
        while (!__atomic_compare_exchange(address, &before, &after, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            after = update(before);
        }
    }
    yield_lane(false, has_same_bits(after, before));
    return before;
}

template <class T>
T* atomic_address(T* address) {
    return address;
}
template <class T>
T* atomic_address(SharedPointer<T> pointer) {
    return pointer.checked_address();
}

// The type of the word behind a pointer to global memory or to a shared member.
template <class P>
using AtomicWord = std::remove_reference_t<decltype(*atomic_address(std::declval<P>()))>;

template <class T>
T load_relaxed(T const* address) {
    return __atomic_load_n(address, __ATOMIC_RELAXED);
}

template <class T>
void store_relaxed(T* address, T value) {
    __atomic_store_n(address, value, __ATOMIC_RELAXED);
}

template <class T>
T load_acquire(T const* address) {
    return __atomic_load_n(address, __ATOMIC_ACQUIRE);
}

template <class T>
void store_release(T* address, T value) {
    __atomic_store_n(address, value, __ATOMIC_RELEASE);
    yield_lane(false);
}

template <class T>
T add_release_acquire(T* address, T value) {
    T const before = __atomic_fetch_add(address, value, __ATOMIC_ACQ_REL);
    yield_lane(false);
    return before;
}

}  // namespace lockstep::simt::emulator

template <class P>
auto atomicAdd(P address, lockstep::simt::emulator::AtomicWord<P> value) {
    using T = lockstep::simt::emulator::AtomicWord<P>;
    T* const target = lockstep::simt::emulator::atomic_address(address);
    return lockstep::simt::emulator::update_atomically(
        target, [=](T x) { return static_cast<T>(x + value); }, lockstep::simt::emulator::addition_of(value));
}
template <class P>
auto atomicSub(P address, lockstep::simt::emulator::AtomicWord<P> value) {
    using T = lockstep::simt::emulator::AtomicWord<P>;
    return lockstep::simt::emulator::update_atomically(lockstep::simt::emulator::atomic_address(address),
                                                       [=](T x) { return static_cast<T>(x - value); });
}
template <class P>
auto atomicExch(P address, lockstep::simt::emulator::AtomicWord<P> value) {
    using T = lockstep::simt::emulator::AtomicWord<P>;
    return lockstep::simt::emulator::update_atomically(
        lockstep::simt::emulator::atomic_address(address), [=](T) { return value; },
        lockstep::simt::emulator::WordUpdate::exchange);
}
template <class P>
auto atomicCAS(P address, lockstep::simt::emulator::AtomicWord<P> expected,
               lockstep::simt::emulator::AtomicWord<P> value) {
    using T = lockstep::simt::emulator::AtomicWord<P>;
    return lockstep::simt::emulator::update_atomically(
        lockstep::simt::emulator::atomic_address(address), [=](T x) { return x == expected ? value : x; },
        lockstep::simt::emulator::WordUpdate::swap);
}
template <class P>
auto atomicMin(P address, lockstep::simt::emulator::AtomicWord<P> value) {
    using T = lockstep::simt::emulator::AtomicWord<P>;
    return lockstep::simt::emulator::update_atomically(lockstep::simt::emulator::atomic_address(address),
                                                       [=](T x) { return value < x ? value : x; });
}
template <class P>
auto atomicMax(P address, lockstep::simt::emulator::AtomicWord<P> value) {
    using T = lockstep::simt::emulator::AtomicWord<P>;
    return lockstep::simt::emulator::update_atomically(lockstep::simt::emulator::atomic_address(address),
                                                       [=](T x) { return value > x ? value : x; });
}
template <class P>
auto atomicAnd(P address, lockstep::simt::emulator::AtomicWord<P> value) {
    using T = lockstep::simt::emulator::AtomicWord<P>;
    return lockstep::simt::emulator::update_atomically(lockstep::simt::emulator::atomic_address(address),
                                                       [=](T x) { return x & value; });
}
template <class P>
auto atomicOr(P address, lockstep::simt::emulator::AtomicWord<P> value) {
    using T = lockstep::simt::emulator::AtomicWord<P>;
    return lockstep::simt::emulator::update_atomically(lockstep::simt::emulator::atomic_address(address),
                                                       [=](T x) { return x | value; });
}
template <class P>
auto atomicXor(P address, lockstep::simt::emulator::AtomicWord<P> value) {
    using T = lockstep::simt::emulator::AtomicWord<P>;
    return lockstep::simt::emulator::update_atomically(lockstep::simt::emulator::atomic_address(address),
                                                       [=](T x) { return x ^ value; });
}
// Increments, and wraps to 0 after `limit` (CUDA's atomicInc).
template <class P>
unsigned atomicInc(P address, unsigned limit) {
    return lockstep::simt::emulator::update_atomically(lockstep::simt::emulator::atomic_address(address),
                                                       [=](unsigned x) { return x >= limit ? 0u : x + 1u; });
}

// NOLINTBEGIN(bugprone-reserved-identifier): the names are CUDA's.
// Fences order memory on the CPU too. ThreadSanitizer does not model them, so kernels that depend on ordering must use
// the acquire and release functions.
#if defined(__SANITIZE_THREAD__) && !defined(LOCKSTEP_SIMT_HOOKS)
inline void __threadfence() {}
inline void __threadfence_block() {}
#else
inline void __threadfence() {
    lockstep::simt::emulator::scoped_fence(__ATOMIC_SEQ_CST, lockstep::simt::emulator::Scope::device);
}
inline void __threadfence_block() {
    lockstep::simt::emulator::scoped_fence(__ATOMIC_SEQ_CST, lockstep::simt::emulator::Scope::block);
}
#endif
// NOLINTEND(bugprone-reserved-identifier)
