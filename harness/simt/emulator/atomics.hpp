#pragma once
// Atomics and ordering in the emulator. As on CUDA an atomic alone orders nothing else (relaxed, and ThreadSanitizer
// holds kernels to it), nor do load_relaxed and store_relaxed; load_acquire, store_release and add_release_acquire do.
// After an atomic other lanes run.

#include <type_traits>
#include <utility>

#include "harness/simt/emulator/runtime.hpp"
#include "harness/simt/emulator/shared_memory.hpp"

namespace lockstep::simt::emulator {

template <class T, class Update>
T update_atomically(T* address, Update update) {
    T before = __atomic_load_n(address, __ATOMIC_RELAXED);
    T after = update(before);
    while (!__atomic_compare_exchange_n(address, &before, after, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        after = update(before);
    }
    yield_lane(false);
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

// int, unsigned and unsigned long long, in global memory or in a shared member.
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
    if constexpr (std::is_floating_point_v<T>) {
        T before;
        __atomic_load(target, &before, __ATOMIC_RELAXED);
        T after = before + value;
        while (!__atomic_compare_exchange(target, &before, &after, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            after = before + value;
        }
        lockstep::simt::emulator::yield_lane(false);
        return before;
    } else {
        return lockstep::simt::emulator::update_atomically(target, [=](T x) { return static_cast<T>(x + value); });
    }
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
    return lockstep::simt::emulator::update_atomically(lockstep::simt::emulator::atomic_address(address),
                                                       [=](T) { return value; });
}
template <class P>
auto atomicCAS(P address, lockstep::simt::emulator::AtomicWord<P> expected,
               lockstep::simt::emulator::AtomicWord<P> value) {
    using T = lockstep::simt::emulator::AtomicWord<P>;
    return lockstep::simt::emulator::update_atomically(lockstep::simt::emulator::atomic_address(address),
                                                       [=](T x) { return x == expected ? value : x; });
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
// Counts 0 .. limit and round again (CUDA's atomicInc).
template <class P>
unsigned atomicInc(P address, unsigned limit) {
    return lockstep::simt::emulator::update_atomically(lockstep::simt::emulator::atomic_address(address),
                                                       [=](unsigned x) { return x >= limit ? 0u : x + 1u; });
}

// NOLINTBEGIN(bugprone-reserved-identifier): the names are CUDA's.
// Fences order the CPU's memory as they should; ThreadSanitizer does not follow them, so kernels whose correctness
// rests on ordering use the acquire and release functions.
#if defined(__SANITIZE_THREAD__)
inline void __threadfence() {}
inline void __threadfence_block() {}
#else
inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
#endif
// NOLINTEND(bugprone-reserved-identifier)
