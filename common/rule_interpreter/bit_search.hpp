#pragma once
// Steps of a depth-first search for the solutions of a Sudoku on bit boards (bit_board.hpp): narrow the boards until
// nothing changes, then guess. A cell with one candidate is fixed. Naked pairs are left out, as they cost half of a
// pass.

#include "common/rule_interpreter/bit_board.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

// What a pass found, as cells or positions that are not 0 in some band of the grid.
template <class W>
struct Narrowed {
    W changed;        // candidates were removed
    W contradiction;  // a cell without a candidate, or a unit without a position for a digit
    W open;           // cells with several candidates before the pass
};

// Elimination, hidden singles and pointing pairs. If nothing changed, there is no contradiction and no cell is open,
// the boards are a solution: each unit has nine cells with one digit each, and all nine digits.
template <class W, class Bands>
__device__ inline Narrowed<W> narrow(W (&candidates)[9], Bands const& bands) {
    AtLeast<W> const count = count_candidates(candidates);
    W const fixed = count.one & ~count.two;
    W changed = eliminate(candidates, fixed, bands);
    AtLeast<W> const left = count_candidates(candidates);
    W contradiction = ~left.one & all_of_band;
    W exclude[9];
    W const hidden = hide_and_point(candidates, fixed, exclude, bands, [&](Places<W> const& places) {
        W const m = places.mini_rows;
        contradiction |= ~(m | m >> 3 | m >> 6) & (7 * row_starts);
        contradiction |= ~(m | m >> row_bits | m >> 2 * row_bits) & row_mask;
        contradiction |= ~(places.columns | places.columns_next | places.columns_previous) & all_of_band;
    });
    changed |= hidden & left.two;
#pragma unroll
    for (unsigned d = 0; d < 9; ++d) {
        W const out = candidates[d] & exclude[d] & ~fixed;
        candidates[d] ^= out;
        changed |= out;
    }
    return {changed, contradiction, count.two};
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
