#pragma once
// Boards a part at a time, so that any number of them needs little memory.

#include <cstdint>
#include <functional>

#include "experiments/random_grids/board_source.hpp"

namespace lockstep::random_grids {

// Draws boards `first` to `first + count - 1` of this shape and calls consume(boards), in order, on rank 0. Draws the
// next part meanwhile if the source draws aside. Collective.
void stream_boards(BoardSource& source, Shape const& shape, std::uint64_t first, std::uint64_t count,
                   std::function<void(PackedBoards const&)> const& consume);

// Draws the same boards, in memory of the machine if the source draws aside, and keeps none. Returns the seconds that
// it takes once the machine is open. Collective.
double draw_and_discard(BoardSource& source, Shape const& shape, std::uint64_t first, std::uint64_t count);

}  // namespace lockstep::random_grids
