#pragma once
// Uniform real numbers in [0, 1) from random words. Each is an exact multiple of a power of two, so all machines return
// the same bits. 1 - u is also exact and lies in (0, 1], as a logarithm needs.

#include "harness/simt/kernel.hpp"

namespace lockstep::random::LOCKSTEP_MACHINE {

// A multiple of 2^-24, from the word's upper 24 bits.
__host__ __device__ constexpr float unit_float(unsigned word) { return static_cast<float>(word >> 8) * 0x1p-24f; }

// A multiple of 2^-32, from all 32 bits of the word.
__host__ __device__ constexpr double unit_double(unsigned word) { return word * 0x1p-32; }

// A multiple of 2^-53: the first word and the upper 21 bits of the second.
__host__ __device__ constexpr double unit_double(unsigned first, unsigned second) {
    unsigned long long const bits = static_cast<unsigned long long>(first) << 21 | second >> 11;
    return static_cast<double>(bits) * 0x1p-53;
}

// As above, from an engine of 32-bit words. Draws one word.
template <class Engine>
__host__ __device__ inline float uniform_float(Engine& engine) {
    static_assert(Engine::min() == 0 && Engine::max() == 0xffffffffu, "needs 32-bit words");
    return unit_float(engine());
}

// Draws two words.
template <class Engine>
__host__ __device__ inline double uniform_double(Engine& engine) {
    static_assert(Engine::min() == 0 && Engine::max() == 0xffffffffu, "needs 32-bit words");
    unsigned const first = engine();
    return unit_double(first, engine());
}

}  // namespace lockstep::random::LOCKSTEP_MACHINE
