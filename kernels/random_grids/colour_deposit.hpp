#pragma once
// Deposits a packed set of the sites of a plane into them, part by part, with the table of make_deposits().

#include "common/random_grids/colour_shape.hpp"
#include "kernels/random_grids/colour_sets.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

// Two parts per word, `pack` times the second one plus the first one (ColourPlane).
struct ColourSet {
    unsigned pairs[4 * colour_groups];
};

// Packs a set of 15 + 15 bits per word into words of 32.
__device__ inline void pack_colour(ColourSet const& set, unsigned (&packed)[4 * colour_groups]) {
    constexpr unsigned words = 4 * colour_groups;
#pragma unroll
    for (unsigned i = 0; i < words; ++i) {
        packed[i] = set.pairs[i] >> 2 * i;
        if (i + 1 < words)
            packed[i] += set.pairs[i + 1] << (30 - 2 * i);
    }
}

// Spreads the next bits over the sites of a part.
__device__ inline unsigned deposit_part(ColourTile& tile, unsigned sites, unsigned bits) {
    unsigned const in_low = static_cast<unsigned>(__popc(sites & 0xFFu));
    unsigned const low = byte_at(tile.deposit, __byte_perm(bits, sites, 0x7640));
    unsigned const high = byte_at(tile.deposit, __byte_perm(bits >> in_low, sites, 0x7650));
    return high * 256 + low;
}

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
