#pragma once
// Sudoku on bit boards: which cells may hold a digit is a set of bits, and word operations treat all cells of a band
// (three rows, nine columns, three boxes) at once.
//
// A word holds one band: the cell in row r and column c of the band is bit 10 r + c. Bits 9, 19 and 29 are always 0, so
// that sums of a row do not run into the next row. A grid is three words per digit, 27 in all.
//
// `W` is three such words, one per band: on a GPU an `unsigned` in each of three lanes, on a CPU a vector
// (band_vector). Rows and boxes lie within a band. For columns, `Bands` moves words between the bands of a grid:
//
//   next(w)      the word of the following band, in a circle
//   previous(w)  the word of the preceding band
//   any(w)       whether a word is not 0 in any grid that runs in step with this one

#include "common/rule_interpreter/parameters.hpp"

namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE {

inline constexpr unsigned row_bits = 10;  // distance of two rows
inline constexpr unsigned row_starts = 1u | 1u << row_bits | 1u << 2 * row_bits;
inline constexpr unsigned row_mask = 0x1FF;
inline constexpr unsigned all_of_band = row_mask * row_starts;
inline constexpr unsigned guard_bits = row_starts << 9;
inline constexpr unsigned box_columns = 0x49;  // first columns of the three boxes
inline constexpr unsigned box_rows = box_columns * row_starts;

template <class W>
__device__ inline W majority(W a, W b, W c) {
    return (a & b) | (c & (a | b));
}

// Of a set of cells, those in a row that has any; `set` may not have guard bits.
template <class W>
__device__ inline W whole_rows(W set) {
    W const filled = (set + all_of_band) & guard_bits;
    return filled - (filled >> 9);
}

// Bits 0..8: the columns of the band that have a cell of the set. Higher bits are undefined.
template <class W>
__device__ inline W columns_of(W set) {
    return set | set >> row_bits | set >> 2 * row_bits;
}

// The cells of the boxes that have a cell, from columns_of().
template <class W>
__device__ inline W whole_boxes(W columns) {
    return ((columns | columns >> 1 | columns >> 2) & box_columns) * (7 * row_starts);
}

// The same nine columns in each row.
template <class W>
__device__ inline W whole_columns(W columns) {
    return (columns & row_mask) * row_starts;
}

// Three sets of columns, one per digit of a triple, in the three rows of one word: columns need a third of the
// exchanges between bands.
template <class W>
__device__ inline W packed(W first, W second, W third) {
    return (first & row_mask) | (second & row_mask) << row_bits | (third & row_mask) << 2 * row_bits;
}
template <class W>
__device__ inline W unpacked(W triple, unsigned which) {
    return triple >> which * row_bits;
}

// A grid: the cells that may hold digit d, and the cells whose digit is placed.
template <class W>
struct Boards {
    W candidates[9];
    W placed;
};

// Cells with at least one, and with at least two candidates.
template <class W>
struct AtLeast {
    W one, two;
};

template <class W>
__device__ inline AtLeast<W> count_candidates(W const (&candidates)[9]) {
    W one[3], two[3];
#pragma unroll
    for (unsigned i = 0; i < 3; ++i) {
        W const a = candidates[3 * i], b = candidates[3 * i + 1], c = candidates[3 * i + 2];
        one[i] = a | b | c;
        two[i] = majority(a, b, c);
    }
    return {one[0] | one[1] | one[2], majority(one[0], one[1], one[2]) | two[0] | two[1] | two[2]};
}

// Cells with exactly two candidates: a bit-sliced sum of the nine boards.
template <class W>
__device__ inline W exactly_two(W const (&candidates)[9]) {
    W sum[3], carry[3];
#pragma unroll
    for (unsigned i = 0; i < 3; ++i) {
        W const a = candidates[3 * i], b = candidates[3 * i + 1], c = candidates[3 * i + 2];
        sum[i] = a ^ b ^ c;
        carry[i] = majority(a, b, c);
    }
    W const odd = sum[0] ^ sum[1] ^ sum[2];
    W const fourth = majority(sum[0], sum[1], sum[2]);
    W const parity = carry[0] ^ carry[1] ^ carry[2];
    W const several = majority(carry[0], carry[1], carry[2]);
    return (parity ^ fourth) & ~(parity & fourth) & ~several & ~odd;
}

// Removes the digits of `fixed` cells from the other cells of their rows, columns and boxes, except from fixed cells.
// Returns the cells that change.
template <class W, class Bands>
__device__ inline W eliminate(W (&candidates)[9], W fixed, Bands const& bands) {
    W changed = fixed & 0u;
#pragma unroll
    for (unsigned t = 0; t < 9; t += 3) {
        W columns[3];
#pragma unroll
        for (unsigned j = 0; j < 3; ++j)
            columns[j] = columns_of(candidates[t + j] & fixed);
        W const own = packed(columns[0], columns[1], columns[2]);
        W const all = own | bands.next(own) | bands.previous(own);
#pragma unroll
        for (unsigned j = 0; j < 3; ++j) {
            W const before = candidates[t + j];
            W const seen = whole_rows(before & fixed) | whole_boxes(columns[j]) | whole_columns(unpacked(all, j));
            candidates[t + j] = before & ~(seen & ~fixed);
            changed |= before ^ candidates[t + j];
        }
    }
    return changed;
}

// Where the digits of a triple may stand, in three forms. Rows and boxes have one bit per mini row (three cells of a
// row in one box): digit j of the triple, row r, box b is bit 10 r + 3 b + j. Columns are packed().
template <class W>
struct Places {
    W mini_rows, mini_rows_with_two;                    // mini rows with a cell, with at least two
    W columns, columns_next, columns_previous;          // columns with a cell, in this band and in the others
    W rows_with_two, boxes_with_two, columns_with_two;  // bit 10 r + j; bit 3 b + j; packed
};

template <class W, class Bands>
__device__ inline Places<W> places_of(W a, W b, W c, Bands const& bands) {
    Places<W> places;
    W const digits[3] = {a, b, c};
    W any[3], two[3];
    places.mini_rows = places.mini_rows_with_two = a & 0u;
#pragma unroll
    for (unsigned j = 0; j < 3; ++j) {
        W const x = digits[j], right = x >> 1, last = x >> 2;
        places.mini_rows |= ((x | right | last) & box_rows) << j;
        places.mini_rows_with_two |= (majority(x, right, last) & box_rows) << j;
        W const second = x >> row_bits, third = x >> 2 * row_bits;
        any[j] = x | second | third;
        two[j] = majority(x, second, third);
    }
    W const m = places.mini_rows, n = places.mini_rows_with_two;
    places.rows_with_two = (majority(m, m >> 3, m >> 6) | (n | n >> 3 | n >> 6)) & (7 * row_starts);
    places.boxes_with_two =
        (majority(m, m >> row_bits, m >> 2 * row_bits) | (n | n >> row_bits | n >> 2 * row_bits)) & row_mask;
    places.columns = packed(any[0], any[1], any[2]);
    places.columns_next = bands.next(places.columns);
    places.columns_previous = bands.previous(places.columns);
    W const more = packed(two[0], two[1], two[2]);
    places.columns_with_two = majority(places.columns, places.columns_next, places.columns_previous) | more |
                              bands.next(more) | bands.previous(more);
    return places;
}

// Cells whose row, column and box each have two cells for digit j of the triple: it is no hidden single there.
template <class W>
__device__ inline W not_hidden(Places<W> const& places, unsigned j) {
    return ((places.rows_with_two >> j & row_starts) * row_mask) &
           ((places.boxes_with_two >> j & box_columns) * (7 * row_starts)) &
           whole_columns(unpacked(places.columns_with_two, j));
}

// Mini rows whose box needs the digit in their row, for each mini row of the same row in another box.
template <class W>
__device__ inline W needed_in_row(W mini_rows) {
    W const m = mini_rows;
    // The other two rows of the box have no cell for the digit.
    W const only = m & ~(m << row_bits | m >> 2 * row_bits) & ~(m << 2 * row_bits | m >> row_bits);
    return (only << 3 & (0x1F8 * row_starts)) | (only << 6 & (0x1C0 * row_starts)) |
           (only >> 3 & (0x03F * row_starts)) | (only >> 6 & (0x007 * row_starts));
}

// Columns that a box of this band needs for the digit, packed as its argument.
template <class W>
__device__ inline W only_column_of_box(W columns) {
    return columns & ~(columns << 1 & (0x1B6 * row_starts)) & ~(columns >> 1 & (0x0DB * row_starts)) &
           ~(columns << 2 & (0x124 * row_starts)) & ~(columns >> 2 & (0x049 * row_starts));
}

// Cells of which another box of the band or stack takes the digits of a triple (pointing pairs).
template <class W>
struct Pointed {
    W rows, columns;
};

template <class W, class Bands>
__device__ inline Pointed<W> pointed(Places<W> const& places, Bands const& bands) {
    W const own = only_column_of_box(places.columns);
    return {needed_in_row(places.mini_rows), bands.next(own) | bands.previous(own)};
}
template <class W>
__device__ inline W cells_of(Pointed<W> const& pointed, unsigned j) {
    return (pointed.rows >> j & box_rows) * 7u | whole_columns(unpacked(pointed.columns, j));
}

// Hidden singles and pointing pairs of all digits, from the boards as they are. Hidden singles: cells whose digit has
// no other position in a unit keep the smallest such digit. `exclude[d]` gets the cells that pointing pairs take digit
// d from. `visit(places)` sees each triple of digits. Returns the cells with a hidden single; `fixed` cells have none.
template <class W, class Bands, class Visit>
__device__ inline W hide_and_point(W (&candidates)[9], W fixed, W (&exclude)[9], Bands const& bands,
                                   Visit const& visit) {
    W taken = fixed & 0u;
    // From the largest digit to the smallest: a cell that a larger digit took keeps this digit if that is hidden, too.
#pragma unroll
    for (int t = 6; t >= 0; t -= 3) {
        Places<W> const places = places_of(candidates[t], candidates[t + 1], candidates[t + 2], bands);
        visit(places);
        Pointed<W> const out = pointed(places, bands);
#pragma unroll
        for (int j = 2; j >= 0; --j) {
            W const x = candidates[t + j];
            W const hidden = x & ~not_hidden(places, static_cast<unsigned>(j)) & ~fixed;
            candidates[t + j] = hidden | (x & ~taken);
            taken |= hidden;
            exclude[t + j] = cells_of(out, static_cast<unsigned>(j));
        }
    }
    // Of the digits left in a cell that was taken, the smallest is the smallest hidden single.
    W lower = fixed & 0u;
#pragma unroll
    for (unsigned d = 0; d < 9; ++d) {
        W const x = candidates[d];
        candidates[d] = x & ~(taken & lower);
        lower |= x;
    }
    return taken;
}

}  // namespace lockstep::rule_interpreter::LOCKSTEP_MACHINE
