#pragma once
// Drawing by a library's sort: assign each site a random key, sort, occupy the k sites of the smallest keys. A key is
// 50 random bits above the site's number, so keys are distinct and any sort gives the same order. The probability that
// two sites share their random bits is below N^2 / 2^51, 1e-7 for N = 16384; then the lower site comes first.

#include "harness/simt/kernel.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

inline constexpr unsigned site_bits = 14;

// Draws two words.
template <class Engine>
__host__ __device__ inline unsigned long long random_key(Engine& engine, unsigned site) {
    unsigned long long const high = engine();
    unsigned long long const low = engine();
    return ((high << 32 | low) >> site_bits << site_bits) | site;
}

__host__ __device__ inline unsigned site_of(unsigned long long key) {
    return static_cast<unsigned>(key & ((1u << site_bits) - 1));
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
