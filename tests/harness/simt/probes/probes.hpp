#pragma once
// Three kernels of the papers' kinds, small: what the kernel header must carry before others are built on it. Each
// machine has every probe under the same name.

#include <vector>

#include "harness/simt/kernel.hpp"

namespace lockstep::probes {

// Warpwise halving (Borsos, slide "Warpwise implementation, the code"): `grids` sets of exactly `occupied` of 1024
// sites, a warp a grid, a row a lane. Returns 32 words a grid. Thread compaction (Köster et al., Algorithms 3 and 4):
// `states` states of `range` values in groups of `warps` states, a warp a state; a value is enabled where
// is_enabled(state, i). Returns how often each value was evaluated. Index allocator (van Eerd et al., Listing 6): every
// thread of a cooperative launch takes `rounds` indices, first the recycled ones, and frees every other one; a grid
// barrier ends a round. Returns the indices that are taken at the end.
struct Allocation {
    unsigned blocks = 1;
    unsigned threads = 32;
    unsigned rounds = 1;
    unsigned recycled = 0;  // indices 0 .. recycled - 1 are free at first
};

__host__ __device__ constexpr bool is_enabled(unsigned state, unsigned i) {
    return ((state * 2654435761u + i * 40503u) >> 7 & 3u) != 0;
}

namespace emulator {
std::vector<unsigned> draw_grids(unsigned grids, unsigned occupied, unsigned long long seed);
std::vector<unsigned> compact(unsigned states, unsigned range, unsigned warps);
std::vector<unsigned> allocate(Allocation const& wanted);
}  // namespace emulator

namespace cuda {
std::vector<unsigned> draw_grids(unsigned grids, unsigned occupied, unsigned long long seed);
std::vector<unsigned> compact(unsigned states, unsigned range, unsigned warps);
std::vector<unsigned> allocate(Allocation const& wanted);
}  // namespace cuda

}  // namespace lockstep::probes
