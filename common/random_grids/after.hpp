#pragma once
// Work on a board after its draw, in the drawing kernel: what the axis `after` names (slide "Storage problem": "the
// subsequent processing may need registers more than the remaining"). What is stored or folded is then not the board,
// but the sites that the work finds. Rows have one word.
//
//   liberties   empty sites next to an occupied one, in four directions: a row and its two neighbours
//   connected   occupied sites that occupied sites connect to the first row: the board, the sites reached so far, and
//               as many passes as the longest way needs
//
// A thread has the whole board as an array; in a warp, each lane has a row.

#include "harness/simt/warp.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;

// The board itself.
struct NoWork {
    static constexpr bool is_none = true;

    __device__ static unsigned in_warp(unsigned row, unsigned /*sites*/) { return row; }
    template <unsigned rows>
    __device__ static void in_thread(unsigned (&/*board*/)[rows], unsigned /*sites*/) {}
};

// Sites of a row, and their neighbours to the left and right.
__device__ inline unsigned spread_in_row(unsigned row) { return row | row << 1 | row >> 1; }

// The rows of the neighbouring lanes; 0 past the first and last lane.
__device__ inline unsigned neighbouring_rows(unsigned row) {
    unsigned const above = __shfl_up_sync(full_warp, row, 1);
    unsigned const below = __shfl_down_sync(full_warp, row, 1);
    return (lane_id() == 0 ? 0 : above) | (lane_id() == warp_size - 1 ? 0 : below);
}

struct Liberties {
    static constexpr bool is_none = false;

    // `sites`: the bits of the row that are sites.
    __device__ static unsigned in_warp(unsigned row, unsigned sites) {
        return (spread_in_row(row) | neighbouring_rows(row)) & ~row & sites;
    }

    template <unsigned rows>
    __device__ static void in_thread(unsigned (&board)[rows], unsigned sites) {
        unsigned above = 0;
#pragma unroll
        for (unsigned i = 0; i < rows; ++i) {
            unsigned const row = board[i];
            unsigned const below = i + 1 < rows ? board[(i + 1) % rows] : 0;
            board[i] = (spread_in_row(row) | above | below) & ~row & sites;
            above = row;
        }
    }
};

struct Connected {
    static constexpr bool is_none = false;

    __device__ static unsigned in_warp(unsigned row, unsigned /*sites*/) {
        unsigned reached = lane_id() == 0 ? row : 0;
        for (;;) {
            unsigned const grown = (spread_in_row(reached) | neighbouring_rows(reached)) & row;
            if (__any_sync(full_warp, grown != reached ? 1 : 0) == 0)
                return reached;
            reached = grown;
        }
    }

    template <unsigned rows>
    __device__ static void in_thread(unsigned (&board)[rows], unsigned /*sites*/) {
        unsigned reached[rows];
#pragma unroll
        for (unsigned i = 0; i < rows; ++i)
            reached[i] = i == 0 ? board[0] : 0;
        unsigned changed = 1;
        while (changed != 0) {
            changed = 0;
#pragma unroll
            for (unsigned i = 0; i < rows; ++i) {
                unsigned const above = i > 0 ? reached[(i + rows - 1) % rows] : 0;
                unsigned const below = i + 1 < rows ? reached[(i + 1) % rows] : 0;
                unsigned const grown = (spread_in_row(reached[i]) | above | below) & board[i];
                changed |= grown ^ reached[i];
                reached[i] = grown;
            }
        }
#pragma unroll
        for (unsigned i = 0; i < rows; ++i)
            board[i] = reached[i];
    }
};

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
