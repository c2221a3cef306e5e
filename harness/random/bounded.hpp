#pragma once
// An unbiased integer below n, by a multiplication and a rare rejection: Lemire, "Fast random integer generation in an
// interval", ACM Transactions on Modeling and Computer Simulation 29(1), 2019.
//
// Proof, for words w of B bits: the result is r where the product w n, a multiple of n, lies in [r 2^B, (r+1) 2^B).
// Leave out the first 2^B mod n places of each such interval: a whole number of n's remains, so each r has floor(2^B /
// n) words.

#include "harness/simt/kernel.hpp"

namespace lockstep::random::LOCKSTEP_MACHINE {

// Uniform on 0 .. n-1; n is 1 .. Engine::max(). Draws one word, and another with probability (2^B mod n) / 2^B. The
// engine's words are uniform on 0 .. 2^B - 1, B at most 32 (narrow ones are there so that tests can enumerate them). n
// = 0 gives 0.
template <class Engine>
__host__ __device__ inline unsigned bounded(Engine& engine, unsigned n) {
    constexpr unsigned mask = Engine::max();
    static_assert(Engine::min() == 0 && (mask & (mask + 1u)) == 0, "the engine's words must be whole bits");
    constexpr unsigned long long range = mask + 1ull;
    unsigned long long product = static_cast<unsigned long long>(engine()) * n;
    if (static_cast<unsigned>(product & mask) < n) {
        // Only here is the division worth its cost: the remainder is below n.
        unsigned const rejected = n == 0 ? 0 : ((0u - n) & mask) % n;
        while (static_cast<unsigned>(product & mask) < rejected) {
            product = static_cast<unsigned long long>(engine()) * n;
        }
    }
    return static_cast<unsigned>(product / range);
}

}  // namespace lockstep::random::LOCKSTEP_MACHINE
