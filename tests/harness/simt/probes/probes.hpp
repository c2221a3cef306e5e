#pragma once
// Three small kernels typical of the papers, which test that the kernel header supports them. Every probe has the same
// name on each machine.

#include <vector>

#include "harness/simt/kernel.hpp"

namespace lockstep::probes {

// draw_grids: warpwise halving (Borsos, slide "Warpwise implementation, the code"). Selects exactly `occupied` of 1024
// sites in each of `grids` grids, with one warp per grid and one row per lane. Returns 32 words per grid.
//
// compact: thread compaction (Köster et al., Algorithms 3 and 4) of `states` states with `range` values each, in groups
// of `warps` states, with one warp per state. A value is enabled if is_enabled(state, i). Returns the number of
// evaluations of each value.
//
// allocate: index allocator (van Eerd et al., Listing 6). Every thread of a cooperative launch allocates one index in
// each of `rounds` rounds, recycled indices first. Threads of odd rank free theirs. A grid barrier ends each round.
// Returns one word per index, 1 if it is taken at the end.

// Parameters of `allocate`.
struct Allocation {
    unsigned blocks = 1;
    unsigned threads = 32;
    unsigned rounds = 1;
    unsigned recycled = 0;  // indices 0 .. recycled - 1 are free initially
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
