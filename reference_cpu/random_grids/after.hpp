#pragma once
// Work on a board after its draw: executable specification of common/random_grids/after.hpp, site by site.

#include <cstdint>
#include <vector>

#include "common/random_grids/workload.hpp"

namespace lockstep::random_grids {

// Returns the sites that the workload's `after` finds on a drawn board; the board itself for After::none.
std::vector<std::uint32_t> after_draw(Workload const& workload, std::vector<std::uint32_t> board);

}  // namespace lockstep::random_grids
