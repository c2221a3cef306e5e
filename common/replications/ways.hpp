#pragma once
// 64 ways to compute, each with code of its own: what a step does that really branches. Way k is a bijection of 32-bit
// words, so a uniform word stays uniform.
//
// Divergence: lanes with different ways run one after another. Operations: about 4 dependent ones per round.

#include "harness/simt/kernel.hpp"

namespace lockstep::replications::LOCKSTEP_MACHINE {

inline constexpr unsigned max_ways = 64;

// The order of the operations and all constants depend on the way, so that a compiler cannot merge two ways.
template <unsigned way>
__device__ inline unsigned mixed(unsigned x, unsigned rounds) {
    constexpr unsigned odd = 0x9e3779b1u * (2 * way + 1);
    constexpr unsigned right = 5 + way % 23;
    constexpr unsigned left = 3 + way % 11;
#if defined(__CUDACC__)
#pragma unroll 1
#endif
    for (unsigned round = 0; round < rounds; ++round) {
        if constexpr (way % 3 == 0) {
            x *= odd;
            x ^= x >> right;
        } else if constexpr (way % 3 == 1) {
            x ^= x << left;
            x = x * odd + way;
        } else {
            x = (x << left | x >> (32 - left)) + odd;
            x ^= x >> right;
        }
    }
    return x;
}

// mixed<way>(x, rounds), by a jump to the code of the way. `way` is below max_ways.
__device__ inline unsigned mixed_by(unsigned way, unsigned x, unsigned rounds) {
#define LOCKSTEP_WAY(n) \
    case n:             \
        return mixed<n>(x, rounds);
#define LOCKSTEP_FOUR_WAYS(n) LOCKSTEP_WAY(n) LOCKSTEP_WAY(n + 1) LOCKSTEP_WAY(n + 2) LOCKSTEP_WAY(n + 3)
#define LOCKSTEP_SIXTEEN_WAYS(n) \
    LOCKSTEP_FOUR_WAYS(n) LOCKSTEP_FOUR_WAYS(n + 4) LOCKSTEP_FOUR_WAYS(n + 8) LOCKSTEP_FOUR_WAYS(n + 12)
    switch (way) {
        LOCKSTEP_SIXTEEN_WAYS(0)
        LOCKSTEP_SIXTEEN_WAYS(16)
        LOCKSTEP_SIXTEEN_WAYS(32)
        LOCKSTEP_SIXTEEN_WAYS(48)
        default:
            return x;
    }
#undef LOCKSTEP_SIXTEEN_WAYS
#undef LOCKSTEP_FOUR_WAYS
#undef LOCKSTEP_WAY
}

}  // namespace lockstep::replications::LOCKSTEP_MACHINE
