#pragma once
// Check for variants that draw sets by their number.

#include <string>

#include "common/random_grids/workload.hpp"

namespace lockstep::random_grids {

// Returns an empty string if `unranked` supports the workload, else the reason.
inline std::string why_not_unranked(Workload const& workload) {
    if (workload.shape.sites() > 64)
        return "it takes at most 64 sites, such as 64x1 or 8x8";
    return workload.planes() > 1 ? "it draws one colour only" : "";
}

}  // namespace lockstep::random_grids
