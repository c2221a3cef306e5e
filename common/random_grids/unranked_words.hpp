#pragma once
// Which workloads sets by number are for.

#include <string>

#include "common/random_grids/workload.hpp"

namespace lockstep::random_grids {

// Empty where `unranked` takes the workload.
std::string why_not_unranked(Workload const& workload);

}  // namespace lockstep::random_grids
