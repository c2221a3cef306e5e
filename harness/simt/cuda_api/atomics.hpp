#pragma once
// Atomic functions on global and shared memory. They are relaxed, as on CUDA, and other lanes may run after each. They
// are templates, so that a program's own overload (such as the usual atomicAdd(double*, double)) is preferred.

#include <type_traits>

#include "harness/simt/emulator/scoped_access.hpp"

namespace lockstep::simt::cuda {

template <class T>
concept AtomicInteger = std::is_integral_v<T> &&(sizeof(T) == 4 || sizeof(T) == 8);
template <class T>
concept AtomicNumber = AtomicInteger<T> || std::is_same_v<T, float> || std::is_same_v<T, double>;
// Words that are exchanged and compared by their bits.
template <class T>
concept AtomicWord = AtomicNumber<T> || std::is_same_v<T, unsigned short>;

template <class T>
using Same = std::type_identity_t<T>;

// Integers wrap, without signed overflow.
template <class T>
T wrapping_add(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) + static_cast<std::make_unsigned_t<T>>(b));
    } else {
        return a + b;
    }
}

template <class T>
T wrapping_subtract(T a, T b) {
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) - static_cast<std::make_unsigned_t<T>>(b));
}

}  // namespace lockstep::simt::cuda

// Each function also has the names for the scopes of a block and of the system.
#define LOCKSTEP_ATOMIC(name, Concept, scope, expression, how)                                                         \
    template <lockstep::simt::cuda::Concept T>                                                                         \
    T name(T* address, lockstep::simt::cuda::Same<T> value) {                                                          \
        return lockstep::simt::emulator::scoped_update(                                                                \
            address, [=](T old) -> T { return expression; }, __ATOMIC_RELAXED, lockstep::simt::emulator::Scope::scope, \
            how);                                                                                                      \
    }
#define LOCKSTEP_ATOMICS_OF(name, Concept, expression, how)        \
    LOCKSTEP_ATOMIC(name, Concept, device, expression, how)        \
    LOCKSTEP_ATOMIC(name##_block, Concept, block, expression, how) \
    LOCKSTEP_ATOMIC(name##_system, Concept, system, expression, how)
#define LOCKSTEP_ATOMICS(name, Concept, expression) \
    LOCKSTEP_ATOMICS_OF(name, Concept, expression, lockstep::simt::emulator::update_of<T>)

LOCKSTEP_ATOMICS_OF(atomicAdd, AtomicNumber, lockstep::simt::cuda::wrapping_add(old, value),
                    lockstep::simt::emulator::addition_of<T>(value))
LOCKSTEP_ATOMICS(atomicSub, AtomicInteger, lockstep::simt::cuda::wrapping_subtract(old, value))
LOCKSTEP_ATOMICS_OF(atomicExch, AtomicNumber, (static_cast<void>(old), value),
                    lockstep::simt::emulator::WordUpdate::exchange)
LOCKSTEP_ATOMICS(atomicMin, AtomicInteger, value < old ? value : old)
LOCKSTEP_ATOMICS(atomicMax, AtomicInteger, value > old ? value : old)
LOCKSTEP_ATOMICS(atomicAnd, AtomicInteger, old& value)
LOCKSTEP_ATOMICS(atomicOr, AtomicInteger, old | value)
LOCKSTEP_ATOMICS(atomicXor, AtomicInteger, old ^ value)
LOCKSTEP_ATOMICS(atomicInc, AtomicInteger, old >= value ? 0u : old + 1u)
LOCKSTEP_ATOMICS(atomicDec, AtomicInteger, old == 0u || old > value ? value : old - 1u)

#undef LOCKSTEP_ATOMICS
#undef LOCKSTEP_ATOMICS_OF
#undef LOCKSTEP_ATOMIC

#define LOCKSTEP_COMPARE_AND_SWAP(name, scope)                                                        \
    template <lockstep::simt::cuda::AtomicWord T>                                                     \
    T name(T* address, lockstep::simt::cuda::Same<T> expected, lockstep::simt::cuda::Same<T> value) { \
        lockstep::simt::emulator::scoped_compare_exchange(address, expected, value, __ATOMIC_RELAXED, \
                                                          lockstep::simt::emulator::Scope::scope);    \
        return expected;                                                                              \
    }
LOCKSTEP_COMPARE_AND_SWAP(atomicCAS, device)
LOCKSTEP_COMPARE_AND_SWAP(atomicCAS_block, block)
LOCKSTEP_COMPARE_AND_SWAP(atomicCAS_system, system)
#undef LOCKSTEP_COMPARE_AND_SWAP
