#pragma once
// References of random_grids as plain functions that return the result of one unit (workload.hpp defines its layout).

#include <cstdint>

#include "harness/bench/variant.hpp"

namespace lockstep::random_grids {

// Halving with `lanes` engines: 1 for threadwise, 32 for warpwise.
bench::UnitResult halving_stream(bench::Problem const& problem, std::uint64_t unit, unsigned lanes);

}  // namespace lockstep::random_grids
