#pragma once
// Four random words at a time. An engine that makes four words per call returns them all and drops the rest of a block
// that it has begun, so lanes that drew different numbers of words are in step again.

#include "harness/random/philox.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

template <class Engine>
__host__ __device__ inline random::Words4 four_words(Engine& engine) {
    if constexpr (requires { engine.next4(); }) {
        return engine.next4();
    } else {
        random::Words4 words{};
        words.x = engine();
        words.y = engine();
        words.z = engine();
        words.w = engine();
        return words;
    }
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
