#pragma once
// Check for variants that draw sets by their number.

#include <string>

#include "common/random_grids/workload.hpp"

namespace lockstep::random_grids {

// Returns an empty string if `unranked` supports the workload, else the reason.
std::string why_not_unranked(Workload const& workload);

}  // namespace lockstep::random_grids
