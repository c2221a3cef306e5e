#pragma once
// Names for random words. Whatever is drawn belongs to (seed, unit of work, lane, number of the draw), never to a
// thread, block or device. Philox4x32-10 turns a name into words.

#include "harness/random/philox.hpp"

namespace lockstep::random::LOCKSTEP_MACHINE {

// Word number `draw` (0 .. 2^34 - 65) of the stream (seed, unit, lane) of Philox4x32<10>, on its own.
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

// Four words to seed an engine with. `use` counts down from the stream's last block: 0 and 1 are Xorwow's, 2 to 15
// Taus88's. For one seed and `use` the four words are a bijection of (unit, lane), so no two names share them.
__host__ __device__ inline Words4 naming_words(unsigned long long seed, unsigned long long unit, unsigned lane,
                                               unsigned use) {
    return Philox4x32<10>::at(seed, unit, lane, 0xffffffffu - use);
}

}  // namespace lockstep::random::LOCKSTEP_MACHINE
