#pragma once
// One pass of the six Sudoku rules (sudoku_rules.hpp) on bit boards, with the same result. Three facts make the rules
// sets of cells:
//
//   The candidates of a placed cell are its digit and never change, so that the boards and one set of placed cells are
//   the whole state.
//
//   The positions that a pass stores are the candidates after its elimination: hidden singles and pointing pairs read
//   these, and the positions have changed if the candidates have since the previous pass stored them.
//
//   Pointing pairs read positions alone, so that they commute with hidden singles and naked pairs: their exclusions are
//   computed first and applied with those of the naked pairs.

#include "common/rule_interpreter/bit_board_pairs.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

// Applies all rules once. `unnoted`: cells whose candidates changed in the previous pass after it stored positions; not
// 0 before the first pass. Returns cells that are not 0 if the pass changed the state, and sets `unnoted` for the next
// pass.
template <class W, class Bands>
__device__ inline W apply_rules(Boards<W>& boards, W& unnoted, Bands const& bands) {
    W changed = eliminate(boards.candidates, boards.placed, bands) | unnoted;
    AtLeast<W> const count = count_candidates(boards.candidates);
    W const single = count.one & ~count.two & ~boards.placed;
    boards.placed |= single;
    W exclude[9];
    // A cell with a hidden single is not placed, so it had several candidates and changes.
    W const hidden = hide_and_point(boards.candidates, boards.placed, exclude, bands, [](Places<W> const&) {});
    exclude_naked_pairs(boards.candidates, exclude, bands);
    W lost = hidden & 0u;
#pragma unroll
    for (unsigned d = 0; d < 9; ++d) {
        W const out = boards.candidates[d] & exclude[d] & ~boards.placed;
        boards.candidates[d] ^= out;
        lost |= out;
    }
    unnoted = hidden | lost;
    return changed | single | unnoted;
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
