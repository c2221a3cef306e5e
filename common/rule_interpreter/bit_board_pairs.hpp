#pragma once
// Naked pairs on bit boards: two cells of a unit with the same two candidates take them from the unit's other cells.
//
// Comparing nine boards for every two cells of a unit would be the most expensive rule. Instead, each digit has a code
// of six bits, so that the 36 exclusive-ors of two codes differ: six planes, each the exclusive-or of a few boards,
// then tell the pair of a cell with two candidates. (0, the six unit vectors, 15 and 51 are a Sidon set of nine
// elements, and six bits have no larger one.)
//
// Which digits a unit loses follows from counting. Let M be the cells of the unit with a twin in it, and n the number
// of cells in M with digit d; n is never 1. A cell that is not in M loses d if n > 0. A cell of M with d loses it if n
// > 2: then its class has three cells, or another class of twins has d, too. That happens in contradictory grids only,
// and costs extra only if a unit has three cells with a twin.

#include "common/rule_interpreter/bit_board.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

inline constexpr unsigned pair_planes = 6;

// Moves rows or the columns within boxes by one, in a circle, and back.
template <class W>
__device__ inline W rows_down(W x) {
    return (x << row_bits | x >> 2 * row_bits) & all_of_band;
}
template <class W>
__device__ inline W rows_up(W x) {
    return (x >> row_bits | x << 2 * row_bits) & all_of_band;
}
template <class W>
__device__ inline W columns_right(W x) {
    return (x << 1 & (0x1B6 * row_starts)) | (x >> 2 & (0x049 * row_starts));
}
template <class W>
__device__ inline W columns_left(W x) {
    return (x >> 1 & (0x0DB * row_starts)) | (x << 2 & (0x124 * row_starts));
}

// The codes of the cells with two candidates.
template <class W>
struct PairCodes {
    W planes[pair_planes];
    W cells;

    template <class Move>
    __device__ PairCodes moved(Move const& move) const {
        PairCodes result;
#pragma unroll
        for (unsigned i = 0; i < pair_planes; ++i)
            result.planes[i] = move(planes[i]);
        result.cells = move(cells);
        return result;
    }
};

// Cells where both have two candidates, the same.
template <class W>
__device__ inline W twins(PairCodes<W> const& a, PairCodes<W> const& b) {
    W differ = a.planes[0] ^ b.planes[0];
#pragma unroll
    for (unsigned i = 1; i < pair_planes; ++i)
        differ |= a.planes[i] ^ b.planes[i];
    return a.cells & b.cells & ~differ;
}

template <class W>
__device__ inline PairCodes<W> pair_codes(W const (&c)[9]) {
    return {{c[1] ^ c[7] ^ c[8], c[2] ^ c[7] ^ c[8], c[3] ^ c[7], c[4] ^ c[7], c[5] ^ c[8], c[6] ^ c[8]},
            exactly_two(c)};
}

// Cells with a twin in their row, box or column.
template <class W>
struct Twins {
    W rows, boxes, columns;
};

template <class W, class Bands>
__device__ inline Twins<W> find_twins(PairCodes<W> const& codes, Bands const& bands) {
    Twins<W> found;
    found.rows = codes.cells & 0u;
#pragma unroll
    for (unsigned k = 1; k < 9; ++k) {
        W const same = twins(codes, codes.moved([&](W x) { return x >> k; }));
        W const first = same & ((row_mask >> k) * row_starts);
        found.rows |= first | first << k;
    }
    // Four directions reach every other cell of a box from one of the two.
    PairCodes<W> const down = codes.moved([](W x) { return rows_down(x); });
    W const below = twins(codes, down);
    W const in_band = below | rows_up(below);
    PairCodes<W> moved = codes.moved([](W x) { return columns_right(x); });
    W same = twins(codes, moved);
    found.boxes = in_band | same | columns_left(same);
    moved = moved.moved([](W x) { return rows_down(x); });
    same = twins(codes, moved);
    found.boxes |= same | columns_left(rows_up(same));
    moved = moved.moved([](W x) { return rows_down(x); });
    same = twins(codes, moved);
    found.boxes |= same | columns_left(rows_down(same));  // two rows down are one row up
    // Columns: this band in each of its three rotations against the next band.
    PairCodes<W> const next = codes.moved([&](W x) { return bands.next(x); });
    W const straight = twins(codes, next);
    W const one_down = twins(down, next);
    W const two_down = twins(down.moved([](W x) { return rows_down(x); }), next);
    found.columns =
        in_band | straight | rows_up(one_down) | rows_down(two_down) | bands.previous(straight | one_down | two_down);
    return found;
}

// Counts that stop at three.
template <class W>
struct UpToThree {
    W one, two, three;
};
template <class W>
__device__ inline UpToThree<W> sum(UpToThree<W> a, UpToThree<W> b) {
    return {a.one | b.one, a.two | b.two | (a.one & b.one), a.three | b.three | (a.two & b.one) | (a.one & b.two)};
}
template <class W, class Move>
__device__ inline UpToThree<W> moved(UpToThree<W> a, Move const& move) {
    return {move(a.one), move(a.two), move(a.three)};
}

// Cells of units with at least three cells of the set, per kind of unit.
template <class W>
__device__ inline W rows_of_three(W set) {
    W const second = set & (set + (guard_bits - row_starts));  // without the first cell of each row
    return whole_rows(second & (second + (guard_bits - row_starts)));
}
template <class W>
__device__ inline UpToThree<W> count_in_columns(W set) {
    UpToThree<W> const first = {set, set & 0u, set & 0u};
    return sum(sum(first, moved(first, [](W x) { return x >> row_bits; })),
               moved(first, [](W x) { return x >> 2 * row_bits; }));
}
template <class W>
__device__ inline W boxes_of_three(W set) {
    UpToThree<W> const column = count_in_columns(set);
    UpToThree<W> const all =
        sum(sum(column, moved(column, [](W x) { return x >> 1; })), moved(column, [](W x) { return x >> 2; }));
    return (all.three & box_columns) * (7 * row_starts);
}
template <class W, class Bands>
__device__ inline W columns_of_three(W set, Bands const& bands) {
    UpToThree<W> const own = count_in_columns(set);
    UpToThree<W> const all = sum(sum(own, moved(own, [&](W x) { return bands.next(x); })),
                                 moved(own, [&](W x) { return bands.previous(x); }));
    return whole_columns(all.three);
}

// Adds to `exclude[d]` the cells that lose digit d to naked pairs.
template <class W, class Bands>
__device__ inline void exclude_naked_pairs(W const (&candidates)[9], W (&exclude)[9], Bands const& bands) {
    Twins<W> const found = find_twins(pair_codes(candidates), bands);
    if (!bands.any(found.rows | found.boxes | found.columns))
        return;
#pragma unroll
    for (unsigned t = 0; t < 9; t += 3) {
        W columns[3];
#pragma unroll
        for (unsigned j = 0; j < 3; ++j)
            columns[j] = columns_of(found.columns & candidates[t + j]);
        W const own = packed(columns[0], columns[1], columns[2]);
        W const all = own | bands.next(own) | bands.previous(own);
#pragma unroll
        for (unsigned j = 0; j < 3; ++j) {
            W const in_rows = found.rows & candidates[t + j];
            W const in_boxes = found.boxes & candidates[t + j];
            W const in_columns = found.columns & candidates[t + j];
            exclude[t + j] |= (whole_rows(in_rows) & ~in_rows) | (whole_boxes(columns_of(in_boxes)) & ~in_boxes) |
                              (whole_columns(unpacked(all, j)) & ~in_columns);
        }
    }
    if (!bands.any(rows_of_three(found.rows) | boxes_of_three(found.boxes) | columns_of_three(found.columns, bands)))
        return;
#pragma unroll
    for (unsigned d = 0; d < 9; ++d) {
        W const in_rows = found.rows & candidates[d];
        W const in_boxes = found.boxes & candidates[d];
        W const in_columns = found.columns & candidates[d];
        exclude[d] |= (rows_of_three(in_rows) & in_rows) | (boxes_of_three(in_boxes) & in_boxes) |
                      (columns_of_three(in_columns, bands) & in_columns);
    }
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
