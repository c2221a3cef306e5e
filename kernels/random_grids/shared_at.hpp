#pragma once
// An element of a shared array by its distance in bytes from the first: tables that hold distances instead of indices
// save the multiplication that an index costs.

#include "harness/simt/kernel.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

#if defined(LOCKSTEP_EMULATOR)
template <class T, unsigned n>
inline T shared_at(simt::emulator::SharedArray<T, n>& array, unsigned bytes) {
    return array[bytes % sizeof(T) == 0 ? bytes / sizeof(T) : n];  // n is refused
}
#elif defined(__CUDACC__)
template <class T, unsigned n>
__device__ inline T shared_at(T (&array)[n], unsigned bytes) {
    return *reinterpret_cast<T const*>(reinterpret_cast<unsigned char const*>(array) + bytes);
}
#endif

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
