#pragma once
// Loads and stores with cache hints, which are plain loads and stores here.

#include <type_traits>

// NOLINTBEGIN(bugprone-reserved-identifier): the names are CUDA's.
#define LOCKSTEP_LOAD(name)    \
    template <class T>         \
    T name(T const* address) { \
        return *address;       \
    }
LOCKSTEP_LOAD(__ldg)
LOCKSTEP_LOAD(__ldca)
LOCKSTEP_LOAD(__ldcg)
LOCKSTEP_LOAD(__ldcs)
LOCKSTEP_LOAD(__ldlu)
LOCKSTEP_LOAD(__ldcv)
#undef LOCKSTEP_LOAD

#define LOCKSTEP_STORE(name)                                     \
    template <class T>                                           \
    void name(T* address, std::type_identity_t<T> const value) { \
        *address = value;                                        \
    }
LOCKSTEP_STORE(__stwb)
LOCKSTEP_STORE(__stcg)
LOCKSTEP_STORE(__stcs)
LOCKSTEP_STORE(__stwt)
#undef LOCKSTEP_STORE

// Every address of a program is generic. Shared, constant and local memory are parts of one address space here.
inline unsigned long __cvta_generic_to_shared(void const* address) { return reinterpret_cast<unsigned long>(address); }
inline unsigned long __cvta_generic_to_global(void const* address) { return reinterpret_cast<unsigned long>(address); }
inline void* __cvta_shared_to_generic(unsigned long address) { return reinterpret_cast<void*>(address); }
inline void* __cvta_global_to_generic(unsigned long address) { return reinterpret_cast<void*>(address); }
// NOLINTEND(bugprone-reserved-identifier)
