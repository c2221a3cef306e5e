#pragma once
// Boards as a picture.

#include <vector>

#include "experiments/random_grids/boards.hpp"
#include "harness/bench/png.hpp"

namespace lockstep::random_grids {

using bench::Colour;
using bench::Image;
using bench::png_of;

// Boards one below the other, drawn as on the slide: lines that cross at the sites, round pieces, the first colour
// black, the second white. Sites shrink so that an image stays below 4096 pixels wide; throws bench::Error where many
// boards make it too high.
Image draw_boards(std::vector<Board> const& boards);

}  // namespace lockstep::random_grids
