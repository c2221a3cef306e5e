#include "common/rule_interpreter/search_cpu.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "common/rule_interpreter/band_vector.hpp"
#include "common/rule_interpreter/bit_search.hpp"
#include "harness/threads/pool.hpp"

namespace lockstep::rule_interpreter::cpu {

namespace {

struct Grid {
    BandVector candidates[9];
};

unsigned bit_of(unsigned cell) { return 1u << (cell / 9 % 3 * row_bits + cell % 9); }

Grid grid_of(Puzzle const& puzzle) {
    Grid grid{};
    for (unsigned cell = 0; cell < cells; ++cell) {
        for (unsigned d = 0; d < 9; ++d) {
            if (puzzle[cell] == 0 || puzzle[cell] == d + 1)
                grid.candidates[d][cell / 27] |= bit_of(cell);
        }
    }
    return grid;
}

Puzzle solution_of(Grid const& grid) {
    Puzzle solution{};
    for (unsigned cell = 0; cell < cells; ++cell) {
        for (unsigned d = 0; d < 9; ++d) {
            if ((grid.candidates[d][cell / 27] & bit_of(cell)) != 0)
                solution[cell] = static_cast<std::uint8_t>(d + 1);
        }
    }
    return solution;
}

// Guesses the smallest digit of an open cell, one with two candidates if there is any: `grid` gets the digit, and the
// result is the grid without it.
Grid guess(Grid& grid, BandVector open) {
    BandVector const pairs = exactly_two(grid.candidates);
    BandVector const from = VectorBands::any(pairs) ? pairs : open;
    unsigned band = 0;
    while (from[band] == 0)
        ++band;
    unsigned const cell = from[band] & (0 - from[band]);
    Grid other = grid;
    bool chosen = false;
    for (unsigned d = 0; d < 9; ++d) {
        if ((grid.candidates[d][band] & cell) == 0)
            continue;
        (chosen ? grid : other).candidates[d][band] &= ~cell;
        chosen = true;
    }
    return other;
}

}  // namespace

Solutions count_solutions(Puzzle const& puzzle, std::uint64_t limit) {
    Solutions found;
    std::vector<Grid> stack = {grid_of(puzzle)};
    while (!stack.empty() && found.count < limit) {
        Grid grid = stack.back();
        stack.pop_back();
        for (;;) {
            Narrowed<BandVector> const narrowed = narrow(grid.candidates, VectorBands());
            if (VectorBands::any(narrowed.contradiction))
                break;
            if (VectorBands::any(narrowed.changed))
                continue;
            if (!VectorBands::any(narrowed.open)) {
                if (found.count++ == 0)
                    found.solution = solution_of(grid);
                break;
            }
            stack.push_back(guess(grid, narrowed.open));
            ++found.guesses;
        }
    }
    return found;
}

namespace {

// Calls body(i) for i below `size` on all cores.
template <class Body>
void on_all_cores(std::size_t size, Body const& body) {
    constexpr std::size_t chunk = 16;
    std::atomic<std::size_t> next = 0;
    threads::Pool& pool = threads::shared_pool();
    pool.run(pool.width(), [&](std::size_t) {
        for (std::size_t first = next.fetch_add(chunk); first < size; first = next.fetch_add(chunk)) {
            for (std::size_t i = first; i < std::min(first + chunk, size); ++i)
                body(i);
        }
    });
}

Puzzle minimal_puzzle(std::uint64_t seed, std::uint64_t number) {
    Puzzle puzzle = generated_puzzle(seed, number, cells);
    for (unsigned clues = cells; clues-- != 0;) {
        // The cell that the generator shows last of `clues` + 1.
        Puzzle const more = generated_puzzle(seed, number, clues + 1);
        Puzzle const fewer = generated_puzzle(seed, number, clues);
        auto const differing = std::mismatch(more.begin(), more.end(), fewer.begin()).first;
        std::uint8_t& cell = puzzle[static_cast<std::size_t>(differing - more.begin())];
        std::uint8_t const digit = std::exchange(cell, std::uint8_t{0});
        if (count_solutions(puzzle, 2).count != 1)
            cell = digit;
    }
    return puzzle;
}

}  // namespace

std::vector<Solutions> count_all_solutions(std::span<Puzzle const> puzzles, std::uint64_t limit) {
    std::vector<Solutions> all(puzzles.size());
    on_all_cores(all.size(), [&](std::size_t i) { all[i] = count_solutions(puzzles[i], limit); });
    return all;
}

bench::UnitResult words_of(Solutions const& found) {
    bench::UnitResult words(words_of_search);
    words[0] = static_cast<std::uint32_t>(found.count);
    for (unsigned cell = 0; cell < cells && found.count == 1; ++cell)
        words[1 + cell / 4] |= std::uint32_t{found.solution[cell]} << (cell % 4 * 8);
    return words;
}

std::vector<Puzzle> minimal_puzzles(std::uint64_t seed, std::uint64_t count) {
    std::vector<Puzzle> all(static_cast<std::size_t>(count));
    on_all_cores(all.size(), [&](std::size_t i) { all[i] = minimal_puzzle(seed, i); });
    return all;
}

}  // namespace lockstep::rule_interpreter::cpu
