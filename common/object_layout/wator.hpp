#pragma once
// Program wator: fish and sharks in a sea of cells, after A. Dewdney, "Sharks and fish wage an ecological war on the
// toroidal planet Wa-Tor", Scientific American 251(6), 1984. Nothing but the rules is shared by the reference, which
// has plain objects, and the kernels.
//
// A cell has at most one swimmer. Its neighbours are the cells at distances 1 and `width` in both directions, modulo
// the number of cells (helical boundary), so that any number of cells is a sea. A tick is simultaneous:
//
//   1. Each swimmer asks for a cell. A shark asks for a random neighbour with a fish, or else for a random empty one; a
//      fish asks for a random empty one.
//   2. Each cell without a shark takes one random asker, a shark if there is one.
//   3. A fish whose cell took a shark dies. A swimmer that was taken moves; with enough age it leaves a child in the
//      cell that it left, and both have age 0. A shark that ate gains energy; any other shark loses one unit, and dies
//      at 0. A fish has energy 1 at all times.
//
// The random words of 1. are named by the cell of the swimmer, those of 2. by the cell that is asked for. So the result
// depends on the sea alone, not on the order of the swimmers. A unit is a cell; its result is what swims there, and its
// age and energy.

#include <cstdint>
#include <memory>

#include "common/object_layout/interaction.hpp"
#include "common/object_layout/tick_words.hpp"
#include "harness/random/bounded.hpp"

namespace lockstep::object_layout {

inline constexpr unsigned empty_cell = 0;
inline constexpr unsigned fish_cell = 1;
inline constexpr unsigned shark_cell = 2;

inline constexpr unsigned fish_breed_at = 5;
inline constexpr unsigned shark_breeds_at = 12;
inline constexpr unsigned oldest_swimmer = 1000;
inline constexpr unsigned shark_energy = 4;      // at birth
inline constexpr unsigned energy_of_a_fish = 1;  // gained by eating it
inline constexpr unsigned max_energy = 8;
inline constexpr unsigned asks_for_none = 4;

// Reference: simulates the whole sea with plain objects. The most recent sea is kept.
std::shared_ptr<Simulated const> sea_after(bench::Problem const& problem);

// The whole square root of the number of cells, at least 1.
unsigned sea_width(std::uint64_t cells);

}  // namespace lockstep::object_layout

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

struct NewSwimmer {
    unsigned kind;  // empty_cell, fish_cell or shark_cell
    unsigned age;
};

__host__ __device__ inline NewSwimmer first_swimmer(unsigned long long seed, unsigned cell) {
    Philox words = Philox::stream(seed, cell, birth_of_agent);
    unsigned const share = random::LOCKSTEP_MACHINE::bounded(words, 20);
    unsigned const kind = share < 6 ? fish_cell : share == 6 ? shark_cell : empty_cell;
    return {kind, random::LOCKSTEP_MACHINE::bounded(words, kind == shark_cell ? shark_breeds_at : fish_breed_at)};
}

// Directions 0 to 3; direction ^ 2 is the opposite one.
__host__ __device__ inline unsigned neighbour_cell(unsigned cell, unsigned direction, unsigned width, unsigned cells) {
    unsigned const distance = direction % 2 == 0 ? 1 : width;
    unsigned const moved = direction < 2 ? cell + distance : cell + (cells - distance);
    return moved >= cells ? moved - cells : moved;
}

// A random one of the directions in a mask, which is not 0.
__host__ __device__ inline unsigned direction_of(unsigned mask, TickWords words) {
    unsigned const count = (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1) + (mask >> 3 & 1);
    unsigned skipped = random::LOCKSTEP_MACHINE::bounded(words, count);
    unsigned direction = 0;
    while ((mask >> direction & 1) == 0 || skipped-- != 0) {
        ++direction;
    }
    return direction;
}

__host__ __device__ inline TickWords words_of_swimmer(unsigned long long seed, unsigned cell, unsigned tick) {
    return {seed, cell, tick};
}
__host__ __device__ inline TickWords words_of_cell(unsigned long long seed, unsigned cell, unsigned tick) {
    return {seed, cell | 1ull << 32, tick};
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
