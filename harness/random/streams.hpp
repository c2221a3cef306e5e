#pragma once
// Names of random words. A random word is determined by (seed, unit of work, lane, index of the draw), never by a
// thread, block or device. Philox4x32-10 maps a name to words.

#include "harness/random/philox.hpp"

namespace lockstep::random::LOCKSTEP_MACHINE {

// Computes only word `draw` (0 .. 2^34 - 65) of the Philox4x32<10> stream (seed, unit, lane).
__host__ __device__ inline unsigned named_word(unsigned long long seed, unsigned long long unit, unsigned lane,
                                               unsigned long long draw) {
    Words4 const words = Philox4x32<10>::at(seed, unit, lane, static_cast<unsigned>(draw / 4));
    unsigned const index = static_cast<unsigned>(draw % 4);
    return index == 0 ? words.x : index == 1 ? words.y : index == 2 ? words.z : words.w;
}

__host__ __device__ inline unsigned named_word(unsigned long long seed, unsigned long long unit,
                                               unsigned long long draw) {
    return named_word(seed, unit, 0, draw);
}

// Returns four words that seed an engine. `use` counts blocks back from the stream's last one: Xorwow uses 0 and 1,
// Taus88 uses 2 to 15. For a fixed seed and `use` the map from (unit, lane) to the four words is injective, so no two
// names share them.
__host__ __device__ inline Words4 naming_words(unsigned long long seed, unsigned long long unit, unsigned lane,
                                               unsigned use) {
    return Philox4x32<10>::at(seed, unit, lane, 0xffffffffu - use);
}

}  // namespace lockstep::random::LOCKSTEP_MACHINE
