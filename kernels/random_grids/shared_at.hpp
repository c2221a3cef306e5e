#pragma once
// Element of a shared array at an offset in bytes, and its address. Tables that hold byte offsets instead of indices
// save the multiplication that an index needs.

#include "harness/simt/kernel.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

// held_tile(tile, one) is the tile. `one` is a 1 from the launch's parameters, so the compiler cannot fold the product
// and keeps the address in a register. Otherwise, it reads a special register for each look-up and adds it.

#if defined(LOCKSTEP_EMULATOR)
template <class Tile>
inline Tile& held_tile(Tile& tile, unsigned /*one*/) {
    return tile;
}
template <class T, unsigned n>
inline T shared_at(simt::emulator::SharedArray<T, n>& array, unsigned bytes) {
    return array[bytes % sizeof(T) == 0 ? bytes / sizeof(T) : n];  // the array rejects index n
}
template <class T, unsigned n>
inline auto address_in(simt::emulator::SharedArray<T, n>& array, unsigned bytes) {
    return &array[bytes % sizeof(T) == 0 ? bytes / sizeof(T) : n];
}
// A byte of an array of words.
template <unsigned n>
inline unsigned byte_at(simt::emulator::SharedArray<unsigned, n>& words, unsigned bytes) {
    return words[bytes / 4] >> bytes % 4 * 8 & 0xFFu;
}
#elif defined(__CUDACC__)
template <class Tile>
__device__ inline Tile& held_tile(Tile& tile, unsigned one) {
    auto const address = static_cast<unsigned>(__cvta_generic_to_shared(&tile)) * one;
    return *static_cast<Tile*>(__cvta_shared_to_generic(address));
}
template <class T, unsigned n>
__device__ inline T shared_at(T (&array)[n], unsigned bytes) {
    return *reinterpret_cast<T const*>(reinterpret_cast<unsigned char const*>(array) + bytes);
}
template <class T, unsigned n>
__device__ inline T* address_in(T (&array)[n], unsigned bytes) {
    return reinterpret_cast<T*>(reinterpret_cast<unsigned char*>(array) + bytes);
}
template <unsigned n>
__device__ inline unsigned byte_at(unsigned (&words)[n], unsigned bytes) {
    return reinterpret_cast<unsigned char const*>(words)[bytes];
}
#endif

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
