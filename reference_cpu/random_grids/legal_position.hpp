#pragma once
// Positions that are legal in Go, Gomoku and Hex: executable specifications for the slide "K-subset problem", whose
// board of 71 black and 70 white pieces "happens to be legal in Go, Gomoku or even in Hex".
//
// Colour 1 is black and moves first, colour 2 is white, 0 is an empty site. A position is legal if a game reaches it.
//
// Go: each group of neighbouring stones of one colour has a liberty, an empty neighbour. This is necessary, because a
// group without liberties is captured. It is also how legal positions are counted: 57 on 2 x 2, 12675 on 3 x 3. Numbers
// of stones do not matter, because players pass and stones are captured.
//
// Gomoku and Hex: stones stay, so black has as many stones as white, or one more, and the player to move follows. A
// game ends with the first row of five or connection. So
//   - the player who did not move last has none, and
//   - if the player who moved last has some, they end with the last stone: they have a stone in common.
// This is sufficient: place the stones in any order, with such a common stone last. Without it, there is no row of five
// or connection, and then none in any part of the stones.
// Gomoku: a row of five or more wins, in eight directions. Hex: the slide renders the hexagonal board on a square grid
// and lets sites connect along one of the diagonals too. Black connects the first row with the last row, and white the
// first column with the last one.

#include "common/random_grids/board.hpp"

namespace lockstep::random_grids {

inline constexpr unsigned char black = 1;
inline constexpr unsigned char white = 2;

bool legal_in_go(Board const& board);
// `length`: stones of a row that wins.
bool legal_in_gomoku(Board const& board, unsigned length = 5);
bool legal_in_hex(Board const& board);

// Returns true if the colour has a row of `length` stones.
bool has_row(Board const& board, unsigned char colour, unsigned length);

// Returns true if the colour connects its sides in Hex.
bool connects(Board const& board, unsigned char colour);

}  // namespace lockstep::random_grids
