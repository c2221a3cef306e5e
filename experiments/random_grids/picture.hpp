#pragma once
// Pictures of boards.

#include <vector>

#include "experiments/random_grids/boards.hpp"
#include "harness/bench/png.hpp"

namespace lockstep::random_grids {

using bench::Colour;
using bench::Image;
using bench::png_of;

// Draws the boards in a vertical sequence, as on the slide: lines that cross at the sites, round pieces, the first
// colour black, the second white. Sites shrink so that the image stays below 4096 pixels in width; throws bench::Error
// if the boards make it too high.
Image draw_boards(std::vector<Board> const& boards);

}  // namespace lockstep::random_grids
