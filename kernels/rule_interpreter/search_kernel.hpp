#pragma once
// Search for the solutions of Sudoku puzzles on bit boards, three lanes per grid (bit_search.hpp, band_lanes.hpp).
//
// Each grid of a warp searches depth first: a pass narrows its boards; at a fixed point it guesses and pushes the
// alternative; at a contradiction or a solution it pops. A grid without work takes the next item of the launch, so all
// grids of a warp stay busy although puzzles differ. When the items run out, the warps that still have work continue
// for `grace` passes and then hand over their stacks as items of the next launch. So one hard puzzle spreads over the
// GPU, and no warp waits for another. The host launches until nothing is handed over.
//
// Work: a pass takes about 750 integer instructions and 33 shuffles of a lane for a third of a grid. A guess stores 108
// bytes, which is rare, so the stacks are in global memory, where their depth of 81 guesses always fits. A puzzle is
// read and its solution written as 81 bytes, once.
// Counts do not depend on the order of the search. The first solution found is stored; it is defined if it is the only.

#include "common/rule_interpreter/band_lanes.hpp"
#include "common/rule_interpreter/bit_search.hpp"
#include "common/rule_interpreter/sudoku.hpp"
#include "harness/simt/warp.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

inline constexpr unsigned words_of_grid = 27;  // digit d of band b is word 3 d + b
inline constexpr unsigned stack_grids = cells + 1;
inline constexpr unsigned search_warps = 4;

// Of one launch. The next launch continues what this one hands over.
struct LaunchCounters {
    unsigned taken;
    unsigned handed_over;
};

struct SearchParameters {
    unsigned char const* puzzles = nullptr;    // 81 digits each, 0: empty
    unsigned const* grids = nullptr;           // of the items; null in the first launch: item i is puzzle i
    uint2 const* items = nullptr;              // x: grid, y: puzzle
    LaunchCounters const* previous = nullptr;  // as many items as it handed over
    LaunchCounters* counters = nullptr;
    unsigned* stacks = nullptr;          // stack_grids grids per searching grid
    uint2* handed_over = nullptr;        // items of the next launch, whose grids are in `stacks`
    unsigned* found = nullptr;           // solutions per puzzle, may exceed the limit
    unsigned char* solutions = nullptr;  // 81 digits per puzzle
    unsigned limit = 2;
    unsigned grace = 0;
};

// The bit of cell `cell` of a band, row by row.
__device__ inline unsigned band_bit(unsigned cell) { return 1u << (cell / 9 * row_bits + cell % 9); }

// The band's boards of a puzzle: an empty cell has all candidates.
__device__ inline void load_puzzle(unsigned char const* from, unsigned band, unsigned (&candidates)[9]) {
#pragma unroll
    for (unsigned d = 0; d < 9; ++d)
        candidates[d] = 0;
    for (unsigned cell = 0; cell < cells_of_band; ++cell) {
        unsigned const digit = from[band * cells_of_band + cell];
#pragma unroll
        for (unsigned d = 0; d < 9; ++d)
            candidates[d] |= digit == 0 || digit == d + 1 ? band_bit(cell) : 0;
    }
}
// Precondition: each cell has one candidate.
__device__ inline void store_solution(unsigned char* to, unsigned band, unsigned const (&candidates)[9]) {
    for (unsigned cell = 0; cell < cells_of_band; ++cell) {
        unsigned digit = 0;
#pragma unroll
        for (unsigned d = 0; d < 9; ++d)
            digit += (candidates[d] & band_bit(cell)) != 0 ? d + 1 : 0;
        to[band * cells_of_band + cell] = static_cast<unsigned char>(digit);
    }
}

__device__ inline void load_grid(unsigned const* from, unsigned band, unsigned (&candidates)[9]) {
#pragma unroll
    for (unsigned d = 0; d < 9; ++d)
        candidates[d] = from[d * bands_per_grid + band];
}
__device__ inline void store_grid(unsigned* to, unsigned band, unsigned const (&candidates)[9]) {
#pragma unroll
    for (unsigned d = 0; d < 9; ++d)
        to[d * bands_per_grid + band] = candidates[d];
}

// Keeps the smallest digit of `cell` and stores the grid without it in `alternative`.
__device__ inline void guess(unsigned (&candidates)[9], unsigned cell, unsigned band, unsigned* alternative) {
    unsigned chosen = 0;
#pragma unroll
    for (unsigned d = 0; d < 9; ++d) {
        unsigned const here = candidates[d] & cell;
        alternative[d * bands_per_grid + band] = candidates[d] & ~(here & ~chosen);
        candidates[d] &= ~(here & chosen);
        chosen |= here;
    }
}

__global__ void __launch_bounds__(search_warps * 32, 4) search_boards(__grid_constant__ SearchParameters const p) {
    LaneBands const lanes;
    unsigned const band = lanes.band();
    unsigned const item_count = p.previous->handed_over;
    unsigned const number = (block_rank() * warps_in_block() + warp_id()) * grids_per_warp + lanes.grid();
    unsigned long long const stack = static_cast<unsigned long long>(number) * stack_grids * words_of_grid;
    unsigned candidates[9] = {};
    unsigned puzzle = 0, depth = 0, grace = p.grace;
    bool active = false, dry = false;
    for (unsigned pass = 0; !dry || grace != 0; ++pass) {
        bool const wants = !active && !dry && lanes.has_grid();
        unsigned const takers = __ballot_sync(full_warp, wants && band == 0);
        if (takers != 0) {
            unsigned first = 0;
            if (lane_id() == 0)
                first = atomicAdd(&p.counters->taken, static_cast<unsigned>(__popc(takers)));
            first = __shfl_sync(full_warp, first, 0);
            unsigned const taken = first + rank_in(takers, lane_id() - band);
            if (wants && taken < item_count) {
                if (p.grids == nullptr) {
                    puzzle = taken;
                    load_puzzle(p.puzzles + static_cast<unsigned long long>(puzzle) * cells, band, candidates);
                } else {
                    uint2 const item = p.items[taken];
                    load_grid(p.grids + static_cast<unsigned long long>(item.x) * words_of_grid, band, candidates);
                    puzzle = item.y;
                }
                depth = 0;
                active = true;
            }
            dry = first + static_cast<unsigned>(__popc(takers)) >= item_count;
        } else if (pass % 8 == 0) {
            dry = __any_sync(full_warp, load_relaxed(&p.counters->taken) >= item_count) != 0;
        }
        if (!__any_sync(full_warp, active))
            break;
        grace -= dry ? 1 : 0;

        Narrowed<unsigned> const narrowed = narrow(candidates, lanes);
        bool const dead = lanes.of_grid(narrowed.contradiction != 0) != 0;
        bool const settled = lanes.of_grid(narrowed.changed != 0) == 0 && !dead && active;
        unsigned const open = lanes.of_grid(narrowed.open != 0);
        bool const solved = settled && open == 0;
        if (__any_sync(full_warp, settled && open != 0)) {
            unsigned const two = exactly_two(candidates);
            unsigned const pairs = lanes.of_grid(two != 0);
            if (settled && open != 0) {
                unsigned const from = pairs != 0 ? two : narrowed.open;
                bool const here = __ffs(static_cast<int>(pairs != 0 ? pairs : open)) - 1 == static_cast<int>(band);
                guess(candidates, here ? from & (0u - from) : 0u, band,
                      p.stacks + stack + static_cast<unsigned long long>(depth) * words_of_grid);
                ++depth;
            }
        }
        if (__any_sync(full_warp, active && (dead || solved))) {
            bool first_found = false;
            if (solved && band == 0)
                first_found = atomicAdd(&p.found[puzzle], 1u) == 0;
            if (lanes.of_grid(first_found) != 0)
                store_solution(p.solutions + static_cast<unsigned long long>(puzzle) * cells, band, candidates);
            bool const enough = active && band == 0 && load_relaxed(&p.found[puzzle]) >= p.limit;
            bool const ends = lanes.of_grid(enough) != 0 || depth == 0;
            if (active && (dead || solved)) {
                active = !ends;
                if (active) {
                    --depth;
                    load_grid(p.stacks + stack + static_cast<unsigned long long>(depth) * words_of_grid, band,
                              candidates);
                }
            }
        }
    }
    if (!active)
        return;
    store_grid(p.stacks + stack + static_cast<unsigned long long>(depth) * words_of_grid, band, candidates);
    if (band == 0) {
        unsigned const first = atomicAdd(&p.counters->handed_over, depth + 1);
        for (unsigned i = 0; i <= depth; ++i)
            p.handed_over[first + i] = uint2{number * stack_grids + i, puzzle};
    }
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
