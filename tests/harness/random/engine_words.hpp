#pragma once
// A sample of words from all engines and distributions, which must be bitwise equal on all machines.

#include "harness/random/bounded.hpp"
#include "harness/random/logarithm.hpp"
#include "harness/random/philox.hpp"
#include "harness/random/taus88.hpp"
#include "harness/random/uniform.hpp"
#include "harness/random/xorwow.hpp"
#include "harness/simt/kernel.hpp"

namespace lockstep::random {

inline constexpr unsigned names = 99;  // streams (seed, unit = number / 33, lane = number % 33)
inline constexpr unsigned words_per_engine = 64;
inline constexpr unsigned engines_per_name = 5;
inline constexpr unsigned words_per_name = words_per_engine * engines_per_name;

}  // namespace lockstep::random

namespace lockstep::random::LOCKSTEP_MACHINE {

// Writes words_per_engine words.
template <class Engine>
__device__ inline void write_engine_words(Engine engine, unsigned* out) {
    unsigned const bounds[] = {1, 2, 31, 32, 33, 0x80000001u, 0xffffffffu};
    unsigned index = 0;
    while (index < 33) {
        out[index++] = engine();
    }
    for (unsigned const bound : bounds) {
        out[index++] = bounded(engine, bound);
    }
    while (index < 48) {
        out[index++] = __float_as_uint(uniform_float(engine));
    }
    while (index < 56) {
        auto const bits = static_cast<unsigned long long>(__double_as_longlong(uniform_double(engine)));
        out[index++] = static_cast<unsigned>(bits & 0xffffffffu);
        out[index++] = static_cast<unsigned>(bits >> 32);
    }
    engine.discard(0x123456789ull);
    while (index < 60) {
        out[index++] = minus_log(engine());
    }
    while (index < words_per_engine) {
        out[index++] = engine();
    }
}

// Writes words_per_name words for stream `number`.
__device__ inline void write_name_words(unsigned long long seed, unsigned number, unsigned* out) {
    unsigned long long const unit = 0xfffffffffull + number / 33;
    unsigned const lane = number % 33;
    write_engine_words(Philox4x32<7>::stream(seed, unit, lane), out);
    write_engine_words(Philox4x32<10>::stream(seed, unit, lane), out + words_per_engine);
    write_engine_words(Xorwow::stream(seed, unit, lane), out + 2 * words_per_engine);
    write_engine_words(Taus88::stream(seed, unit, lane), out + 3 * words_per_engine);
    Xorwow like_curand = Xorwow::from_curand_seed(seed + number);
    like_curand.discard_subsequences(lane);
    write_engine_words(like_curand, out + 4 * words_per_engine);
}

}  // namespace lockstep::random::LOCKSTEP_MACHINE
