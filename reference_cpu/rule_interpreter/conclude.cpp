// Specification of the Sudoku rules: each rule reads a copy of the state from before its application.

#include <algorithm>
#include <bit>
#include <deque>
#include <set>

#include "reference_cpu/rule_interpreter/states.hpp"

namespace lockstep::rule_interpreter {

namespace {

struct Grid {
    std::array<unsigned, cells> candidates{};
    std::array<unsigned, cells> placed{};  // a digit's bit, or 0
    std::array<unsigned, unit_digits> positions{};
    friend bool operator==(Grid const&, Grid const&) = default;
};

// Set of the pairs (rule, instance) that were active in a pass.
using Activity = std::set<std::pair<unsigned, unsigned>>;

std::array<unsigned, 3> units_of(unsigned cell) { return {row_of(cell), 9 + column_of(cell), 18 + box_of(cell)}; }

// Removes the digits placed in the same row, column or box from the cell's candidates.
unsigned elimination(Grid const& before, unsigned cell) {
    unsigned seen = 0;
    for (unsigned const unit : units_of(cell)) {
        for (unsigned position = 0; position < 9; ++position) {
            if (cell_of(unit, position) != cell)
                seen |= before.placed[cell_of(unit, position)];
        }
    }
    return before.candidates[cell] & ~seen;
}

// Returns the mask of positions of a unit where a digit may stand.
unsigned positions_of(Grid const& before, unsigned unit, unsigned digit) {
    unsigned mask = 0;
    for (unsigned position = 0; position < 9; ++position) {
        if ((before.candidates[cell_of(unit, position)] >> digit & 1) != 0)
            mask |= 1u << position;
    }
    return mask;
}

// Returns the smallest digit that has no other position in one of the cell's units, else all candidates.
unsigned hidden_single(Grid const& before, unsigned cell) {
    for (unsigned digit = 0; digit < 9; ++digit) {
        if ((before.candidates[cell] >> digit & 1) == 0)
            continue;
        for (unsigned const unit : units_of(cell)) {
            if (std::popcount(before.positions[unit * 9 + digit]) == 1)
                return 1u << digit;
        }
    }
    return before.candidates[cell];
}

// Removes the candidates of two other cells of a unit that have the same two candidates.
unsigned naked_pairs(Grid const& before, unsigned cell) {
    unsigned taken = 0;
    for (unsigned const unit : units_of(cell)) {
        for (unsigned first = 0; first < 9; ++first) {
            for (unsigned second = first + 1; second < 9; ++second) {
                unsigned const a = cell_of(unit, first);
                unsigned const b = cell_of(unit, second);
                if (a != cell && b != cell && before.candidates[a] == before.candidates[b] &&
                    std::popcount(before.candidates[a]) == 2)
                    taken |= before.candidates[a];
            }
        }
    }
    return before.candidates[cell] & ~taken;
}

// Removes digits that another box needs in the cell's row or column.
unsigned pointing_pairs(Grid const& before, unsigned cell) {
    unsigned left = before.candidates[cell];
    unsigned const box = box_of(cell);
    for (unsigned other = 0; other < 9; ++other) {
        for (unsigned digit = 0; digit < 9; ++digit) {
            unsigned const positions = before.positions[(18 + other) * 9 + digit];
            if (other == box || positions == 0)
                continue;
            unsigned const in_row = 7u << (3 * (row_of(cell) % 3));
            unsigned const in_column = 0x49u << (column_of(cell) % 3);
            if (other / 3 == box / 3 && (positions & ~in_row) == 0)
                left &= ~(1u << digit);
            if (other % 3 == box % 3 && (positions & ~in_column) == 0)
                left &= ~(1u << digit);
        }
    }
    return left;
}

template <class Rule>
void narrow(Grid& grid, Activity& activity, unsigned number, Rule const& rule) {
    Grid const before = grid;
    for (unsigned cell = 0; cell < cells; ++cell) {
        unsigned const left = rule(before, cell);
        if (before.placed[cell] != 0 || left == before.candidates[cell])
            continue;
        grid.candidates[cell] = left;
        activity.emplace(number, cell);
    }
}

void place_naked_singles(Grid& grid, Activity& activity) {
    for (unsigned cell = 0; cell < cells; ++cell) {
        if (grid.placed[cell] == 0 && std::popcount(grid.candidates[cell]) == 1) {
            grid.placed[cell] = grid.candidates[cell];
            activity.emplace(1, cell);
        }
    }
}

void note_positions(Grid& grid, Activity& activity) {
    for (unsigned i = 0; i < unit_digits; ++i) {
        unsigned const mask = positions_of(grid, i / 9, i % 9);
        if (mask != grid.positions[i]) {
            grid.positions[i] = mask;
            activity.emplace(2, i);
        }
    }
}

}  // namespace

Conclusion conclude(Puzzle const& puzzle, unsigned bound, Until until) {
    Grid grid;
    for (unsigned cell = 0; cell < cells; ++cell) {
        grid.placed[cell] = puzzle[cell] == 0 ? 0 : 1u << (puzzle[cell] - 1);
        grid.candidates[cell] = puzzle[cell] == 0 ? all_digits : grid.placed[cell];
    }
    Conclusion conclusion;
    Activity last;
    std::deque<Grid> before;  // the states before the last passes, the latest first
    bool settled = false;
    while (!settled && conclusion.passes < bound) {
        before.push_front(grid);
        if (before.size() > max_period)
            before.pop_back();
        Activity activity;
        narrow(grid, activity, 0, elimination);
        place_naked_singles(grid, activity);
        note_positions(grid, activity);
        narrow(grid, activity, 3, hidden_single);
        narrow(grid, activity, 4, naked_pairs);
        narrow(grid, activity, 5, pointing_pairs);
        bool changed = grid != before.front();
        settled = !changed;
        if (until == Until::activity) {
            settled = activity == last;
            changed = !settled;
        } else if (until == Until::cycle) {
            auto const same = std::find(before.begin(), before.end(), grid);
            settled = same != before.end();
            conclusion.period = settled ? static_cast<std::uint32_t>(same - before.begin()) + 1 : 0;
        }
        conclusion.passes += changed;
        last = activity;
    }
    for (unsigned cell = 0; cell < cells; ++cell) {
        unsigned const digit = grid.placed[cell] == 0 ? 0 : static_cast<unsigned>(std::countr_zero(grid.placed[cell]));
        conclusion.words[cell] = grid.candidates[cell] | (grid.placed[cell] == 0 ? 0 : (digit + 1) << 16);
    }
    conclusion.outcome = outcome_after(conclusion.words, settled);
    return conclusion;
}

bench::UnitResult words_of(Conclusion const& conclusion) {
    bench::UnitResult words(conclusion.words.begin(), conclusion.words.end());
    words.push_back(static_cast<std::uint32_t>(conclusion.outcome));
    words.push_back(conclusion.passes);
    return words;
}

}  // namespace lockstep::rule_interpreter
