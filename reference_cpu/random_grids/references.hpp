#pragma once
// The references of random_grids as plain functions: the result of one unit (workload.hpp says how it is laid out).

#include <cstdint>

#include "harness/bench/variant.hpp"

namespace lockstep::random_grids {

// Halving with `lanes` engines: 1 threadwise, 32 warpwise.
bench::UnitResult halving_stream(bench::Problem const& problem, std::uint64_t unit, unsigned lanes);

}  // namespace lockstep::random_grids
