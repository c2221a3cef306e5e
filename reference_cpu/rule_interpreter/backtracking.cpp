// Specification of the number of solutions: each digit in turn, in the empty cell with the fewest.

#include <bit>

#include "reference_cpu/rule_interpreter/states.hpp"

namespace lockstep::rule_interpreter {

namespace {

// Digits that no other cell of the cell's row, column and box has.
unsigned free_digits(Puzzle const& grid, unsigned cell) {
    unsigned seen = 0;
    for (unsigned const unit : {row_of(cell), 9 + column_of(cell), 18 + box_of(cell)}) {
        for (unsigned position = 0; position < 9; ++position) {
            unsigned const other = cell_of(unit, position);
            if (other != cell && grid[other] != 0)
                seen |= 1u << (grid[other] - 1);
        }
    }
    return all_digits & ~seen;
}

std::uint64_t count_from(Puzzle& grid, std::uint64_t limit, Puzzle& last) {
    unsigned best = cells;
    unsigned best_digits = 0;
    for (unsigned cell = 0; cell < cells; ++cell) {
        if (grid[cell] != 0)
            continue;
        unsigned const digits = free_digits(grid, cell);
        if (best == cells || std::popcount(digits) < std::popcount(best_digits)) {
            best = cell;
            best_digits = digits;
        }
    }
    if (best == cells) {
        last = grid;
        return 1;
    }
    std::uint64_t count = 0;
    for (unsigned digit = 0; digit < 9 && count < limit; ++digit) {
        if ((best_digits >> digit & 1) == 0)
            continue;
        grid[best] = static_cast<std::uint8_t>(digit + 1);
        count += count_from(grid, limit - count, last);
    }
    grid[best] = 0;
    return count;
}

}  // namespace

cpu::Solutions backtrack(Puzzle puzzle, std::uint64_t limit) {
    cpu::Solutions found;
    for (unsigned cell = 0; cell < cells; ++cell) {
        if (puzzle[cell] != 0 && (free_digits(puzzle, cell) >> (puzzle[cell] - 1) & 1) == 0)
            return found;
    }
    if (limit != 0)
        found.count = count_from(puzzle, limit, found.solution);
    return found;
}

std::uint64_t solutions_up_to(Puzzle const& puzzle, std::uint64_t limit) { return backtrack(puzzle, limit).count; }

}  // namespace lockstep::rule_interpreter
