// Search for the solutions of Sudoku puzzles on bit boards, three lanes per grid (bit_search.hpp, band_lanes.hpp).
//
// Each grid of a warp searches depth first: a pass narrows its boards; at a fixed point it guesses and pushes the
// alternative; at a contradiction or a solution it pops. A grid without work takes the next item of the launch, so all
// grids of a warp stay busy although puzzles differ. When the items run out, the warps that still have work continue
// for `grace` passes and then hand over their stacks as items of the next launch. So one hard puzzle spreads over the
// GPU, and no warp waits for another. The host launches until nothing is handed over.
//
// Work: a pass takes about 750 integer instructions and 33 shuffles of a lane for a third of a grid. A guess stores 108
// bytes, which is rare, so the stacks are in global memory, where their depth of 81 guesses always fits.
// Counts do not depend on the order of the search. The first solution found is stored; it is defined if it is the only.

#include <algorithm>
#include <bit>

#include "common/rule_interpreter/band_lanes.hpp"
#include "common/rule_interpreter/bit_search.hpp"
#include "harness/bench/error.hpp"
#include "harness/simt/buffer.hpp"
#include "harness/simt/launch.hpp"
#include "harness/simt/warp.hpp"
#include "kernels/rule_interpreter/search_boards.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

inline constexpr unsigned words_of_grid = 27;  // digit d of band b is word 3 d + b
inline constexpr unsigned stack_grids = cells + 1;
inline constexpr unsigned search_warps = 4;

struct SearchParameters {
    unsigned const* grids = nullptr;  // what items refer to
    uint2 const* items = nullptr;     // x: grid, y: puzzle
    unsigned item_count = 0;
    unsigned* stacks = nullptr;     // stack_grids grids per searching grid
    uint2* handed_over = nullptr;   // items of the next launch, whose grids are in `stacks`
    unsigned* counters = nullptr;   // items taken, items handed over
    unsigned* found = nullptr;      // solutions per puzzle, may exceed the limit
    unsigned* solutions = nullptr;  // a grid per puzzle
    unsigned limit = 2;
    unsigned grace = 0;
};

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
                first = atomicAdd(&p.counters[0], static_cast<unsigned>(__popc(takers)));
            first = __shfl_sync(full_warp, first, 0);
            unsigned const taken = first + rank_in(takers, lane_id() - band);
            if (wants && taken < p.item_count) {
                uint2 const item = p.items[taken];
                load_grid(p.grids + static_cast<unsigned long long>(item.x) * words_of_grid, band, candidates);
                puzzle = item.y;
                depth = 0;
                active = true;
            }
            dry = first + static_cast<unsigned>(__popc(takers)) >= p.item_count;
        } else if (pass % 8 == 0) {
            dry = __any_sync(full_warp, load_relaxed(&p.counters[0]) >= p.item_count) != 0;
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
                store_grid(p.solutions + static_cast<unsigned long long>(puzzle) * words_of_grid, band, candidates);
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
        unsigned const first = atomicAdd(&p.counters[1], depth + 1);
        for (unsigned i = 0; i <= depth; ++i)
            p.handed_over[first + i] = uint2{number * stack_grids + i, puzzle};
    }
}

namespace {

unsigned bit_of(unsigned cell) { return 1u << (cell / 9 % 3 * row_bits + cell % 9); }

std::vector<unsigned> grids_of(std::span<Puzzle const> puzzles) {
    std::vector<unsigned> words(puzzles.size() * words_of_grid);
    for (std::size_t i = 0; i < puzzles.size(); ++i) {
        for (unsigned cell = 0; cell < cells; ++cell) {
            for (unsigned d = 0; d < 9; ++d) {
                if (puzzles[i][cell] == 0 || puzzles[i][cell] == d + 1)
                    words[i * words_of_grid + d * bands_per_grid + cell / cells_of_band] |= bit_of(cell);
            }
        }
    }
    return words;
}

Puzzle solution_of(unsigned const* words) {
    Puzzle solution{};
    for (unsigned cell = 0; cell < cells; ++cell) {
        for (unsigned d = 0; d < 9; ++d) {
            if ((words[d * bands_per_grid + cell / cells_of_band] & bit_of(cell)) != 0)
                solution[cell] = static_cast<std::uint8_t>(d + 1);
        }
    }
    return solution;
}

// Launches until no grid is left. Stacks of one launch are the grids of the next, so there are two sets.
void search(std::span<Puzzle const> puzzles, unsigned limit, Buffer<unsigned>& found, Buffer<unsigned>& solutions) {
    constexpr bool gpu = machine == simt::Machine::cuda;
    LaunchShape shape;
    shape.block.x = (gpu ? search_warps : 1) * 32;
    unsigned const grids_per_block = shape.block.x / 32 * grids_per_warp;
    // Four blocks on each multiprocessor of an H200: enough warps for any GPU, since each takes items until none is
    // left.
    unsigned const max_blocks = gpu ? 528 : 2;
    shape.grid.x =
        static_cast<unsigned>(std::min<std::size_t>(max_blocks, simt::ceil_div(puzzles.size(), grids_per_block)));
    std::size_t const stack_total = std::size_t{max_blocks} * grids_per_block * stack_grids;
    Buffer<unsigned> stacks[2];
    Buffer<uint2> items[2];
    for (unsigned i = 0; i < 2; ++i) {
        stacks[i] = Buffer<unsigned>(stack_total * words_of_grid);
        items[i] = Buffer<uint2>(stack_total);
    }
    Buffer<unsigned> counters(2);
    Buffer<unsigned> first_grids(puzzles.size() * words_of_grid);
    Buffer<uint2> first_items(puzzles.size());
    first_grids.upload(grids_of(puzzles));
    std::vector<uint2> numbered(puzzles.size());
    for (unsigned i = 0; i < numbered.size(); ++i)
        numbered[i] = uint2{i, i};
    first_items.upload(numbered);
    SearchParameters p;
    p.grids = first_grids.data();
    p.items = first_items.data();
    p.item_count = static_cast<unsigned>(puzzles.size());
    p.counters = counters.data();
    p.found = found.data();
    p.solutions = solutions.data();
    p.limit = limit;
    p.grace = 32;
    for (unsigned launch_number = 0; p.item_count != 0; ++launch_number) {
        unsigned const to = launch_number % 2;
        p.stacks = stacks[to].data();
        p.handed_over = items[to].data();
        counters.fill_bytes(0);
        launch("search_boards", search_boards, shape, {}, p);
        synchronize({});
        p.grids = p.stacks;
        p.items = p.handed_over;
        p.item_count = counters.to_vector()[1];
        shape.grid.x = std::clamp(simt::ceil_div(p.item_count, grids_per_block), 1u, max_blocks);
    }
}

}  // namespace

std::vector<cpu::Solutions> count_all_solutions(std::span<Puzzle const> puzzles, std::uint64_t limit) {
    std::vector<cpu::Solutions> all(puzzles.size());
    if (puzzles.empty() || limit == 0)
        return all;
    Buffer<unsigned> found(puzzles.size());
    Buffer<unsigned> solutions(puzzles.size() * words_of_grid);
    found.fill_bytes(0);
    solutions.fill_bytes(0);
    search(puzzles, static_cast<unsigned>(std::min<std::uint64_t>(limit, 1u << 30)), found, solutions);
    std::vector<unsigned> const counts = found.to_vector();
    std::vector<unsigned> const words = solutions.to_vector();
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].count = std::min<std::uint64_t>(counts[i], limit);
        if (counts[i] != 0)
            all[i].solution = solution_of(words.data() + i * words_of_grid);
    }
    return all;
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
