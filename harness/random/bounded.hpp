#pragma once
// Unbiased integers below n, by one multiplication and a rare rejection: Lemire, "Fast random integer generation in an
// interval", ACM Transactions on Modeling and Computer Simulation 29(1), 2019.
//
// Proof, for words w of B bits: the result is r where the product w n, a multiple of n, lies in [r 2^B, (r+1) 2^B).
// Reject the words whose product lies in the first 2^B mod n positions of such an interval: the rest of the interval
// has floor(2^B / n) n positions, so exactly floor(2^B / n) words map to each r.

#include "harness/simt/kernel.hpp"

namespace lockstep::random::LOCKSTEP_MACHINE {

// Returns a uniform integer in 0 .. n-1, for n in 1 .. Engine::max(); returns 0 for n = 0. Each word drawn is rejected,
// and another one drawn, with probability (2^B mod n) / 2^B. The engine's words must be uniform on 0 .. 2^B - 1, with B
// at most 32; tests use small B to enumerate all words.
template <class Engine>
__host__ __device__ inline unsigned bounded(Engine& engine, unsigned n) {
    constexpr unsigned mask = Engine::max();
    static_assert(Engine::min() == 0 && (mask & (mask + 1u)) == 0, "the engine's range must be 0 .. 2^B - 1");
    constexpr unsigned long long range = mask + 1ull;
    unsigned long long product = static_cast<unsigned long long>(engine()) * n;
    if (static_cast<unsigned>(product & mask) < n) {
        // The number of rejected values is less than n, so the division is needed only on this rare path.
        unsigned const rejected = n == 0 ? 0 : ((0u - n) & mask) % n;
        while (static_cast<unsigned>(product & mask) < rejected) {
            product = static_cast<unsigned long long>(engine()) * n;
        }
    }
    return static_cast<unsigned>(product / range);
}

}  // namespace lockstep::random::LOCKSTEP_MACHINE
