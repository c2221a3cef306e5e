#pragma once
// Constraint propagation on a Sudoku grid, as rules (synthetic_rules.hpp defines what a rule is;
// reference_cpu/rule_interpreter/conclude.cpp specifies these in plain loops). Digits and positions are bits of a mask.
//
// Columns: candidates of the 81 cells; the placed digit of each cell; for each of 27 units and 9 digits, the positions
// where the digit may stand; candidates to be stored once all cells have been tested.

#include "common/rule_interpreter/program.hpp"
#include "common/rule_interpreter/sudoku.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

inline constexpr unsigned candidate_column = 0;
inline constexpr unsigned placed_column = 1;
inline constexpr unsigned positions_column = 2;
inline constexpr unsigned pending_column = 3;

// Rule over the cells that removes candidates of an empty cell: `Left::left(state, cell, own)` returns those that
// remain of `own`.
template <class Left>
struct Narrowing {
    static constexpr bool deferred = false;
    static constexpr unsigned stored_columns = 1u << candidate_column;
    __device__ static unsigned range(Parameters const&) { return cells; }

    template <class S>
    __device__ static bool condition(S const& state, unsigned cell) {
        if (state.get(placed_column, cell) != 0)
            return false;
        unsigned const own = state.get(candidate_column, cell);
        return Left::left(state, cell, own) != own;
    }
    template <class S>
    __device__ static bool evaluate(S& state, unsigned cell) {
        state.set(candidate_column, cell, Left::left(state, cell, state.get(candidate_column, cell)));
        return true;
    }
};

// Removes the digits placed in the same row, column or box.
struct EliminationLeft {
    template <class S>
    __device__ static unsigned left(S const& state, unsigned cell, unsigned own) {
        unsigned seen = 0;
        for (unsigned position = 0; position < 9; ++position) {
            seen |= state.get(placed_column, cell_of(row_of(cell), position));
            seen |= state.get(placed_column, cell_of(9 + column_of(cell), position));
            seen |= state.get(placed_column, cell_of(18 + box_of(cell), position));
        }
        return own & ~seen;  // the cell itself is empty
    }
};
using Elimination = Narrowing<EliminationLeft>;

// Places the digit of a cell that has one candidate left.
struct NakedSingle {
    static constexpr bool deferred = false;
    static constexpr unsigned stored_columns = 1u << placed_column;
    __device__ static unsigned range(Parameters const&) { return cells; }
    template <class S>
    __device__ static bool condition(S const& state, unsigned cell) {
        return state.get(placed_column, cell) == 0 && __popc(state.get(candidate_column, cell)) == 1;
    }
    template <class S>
    __device__ static bool evaluate(S& state, unsigned cell) {
        state.set(placed_column, cell, state.get(candidate_column, cell));
        return true;
    }
};

// Updates the positions where a digit may stand in a unit: instance unit * 9 + digit.
struct Positions {
    static constexpr bool deferred = false;
    static constexpr unsigned stored_columns = 1u << positions_column;
    __device__ static unsigned range(Parameters const&) { return unit_digits; }

    template <class S>
    __device__ static unsigned positions(S const& state, unsigned i) {
        unsigned mask = 0;
        for (unsigned position = 0; position < 9; ++position)
            mask |= (state.get(candidate_column, cell_of(i / 9, position)) >> i % 9 & 1) << position;
        return mask;
    }
    template <class S>
    __device__ static bool condition(S const& state, unsigned i) {
        return positions(state, i) != state.get(positions_column, i);
    }
    template <class S>
    __device__ static bool evaluate(S& state, unsigned i) {
        state.set(positions_column, i, positions(state, i));
        return true;
    }
};

// Keeps only a digit that has no other position in one of the cell's units; if there are several, the smallest.
struct HiddenSingleLeft {
    template <class S>
    __device__ static unsigned left(S const& state, unsigned cell, unsigned own) {
        unsigned const units_of_cell[3] = {row_of(cell), 9 + column_of(cell), 18 + box_of(cell)};
        for (unsigned digit = 0; digit < 9; ++digit) {
            if ((own >> digit & 1) == 0)
                continue;
            for (unsigned const unit : units_of_cell) {
                if (__popc(state.get(positions_column, unit * 9 + digit)) == 1)
                    return 1u << digit;
            }
        }
        return own;
    }
};
using HiddenSingle = Narrowing<HiddenSingleLeft>;

// Removes the candidates of two other cells of a unit that have the same two candidates. Cells load each other's
// candidates, so stores are deferred.
struct NakedPairsLeft {
    template <class S>
    __device__ static unsigned left(S const& state, unsigned cell, unsigned own) {
        return own & ~(pairs(state, cell, row_of(cell)) | pairs(state, cell, 9 + column_of(cell)) |
                       pairs(state, cell, 18 + box_of(cell)));
    }

private:
    template <class S>
    __device__ static unsigned pairs(S const& state, unsigned cell, unsigned unit) {
        unsigned taken = 0;
        for (unsigned first = 0; first < 8; ++first) {
            unsigned const a = cell_of(unit, first);
            unsigned const pair = a == cell ? 0 : state.get(candidate_column, a);
            if (__popc(pair) != 2)
                continue;
            for (unsigned second = first + 1; second < 9; ++second) {
                unsigned const b = cell_of(unit, second);
                if (b != cell && state.get(candidate_column, b) == pair)
                    taken |= pair;
            }
        }
        return taken;
    }
};
struct NakedPairs : Narrowing<NakedPairsLeft> {
    static constexpr bool deferred = true;
    static constexpr unsigned deferred_column = pending_column;
    static constexpr unsigned written_column = candidate_column;
    static constexpr unsigned nothing_deferred = nothing_written;
};

// Removes a digit that another box of the band must have in the cell's row, or another box of the stack in the cell's
// column.
struct PointingPairsLeft {
    template <class S>
    __device__ static unsigned left(S const& state, unsigned cell, unsigned own) {
        unsigned const box = box_of(cell);
        unsigned const in_row = 7u << (3 * (row_of(cell) % 3));
        unsigned const in_column = 0x49u << (column_of(cell) % 3);
        for (unsigned step = 1; step < 3; ++step) {
            unsigned const neighbour = box / 3 * 3 + (box % 3 + step) % 3;
            unsigned const below = (box + 3 * step) % 9;
            for (unsigned digit = 0; digit < 9; ++digit) {
                unsigned const row_positions = state.get(positions_column, (18 + neighbour) * 9 + digit);
                unsigned const column_positions = state.get(positions_column, (18 + below) * 9 + digit);
                bool const excluded = (row_positions != 0 && (row_positions & ~in_row) == 0) ||
                                      (column_positions != 0 && (column_positions & ~in_column) == 0);
                own &= ~((excluded ? 1u : 0u) << digit);
            }
        }
        return own;
    }
};
using PointingPairs = Narrowing<PointingPairsLeft>;

using SudokuProgram = Program<true, Elimination, NakedSingle, Positions, HiddenSingle, NakedPairs, PointingPairs>;

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
