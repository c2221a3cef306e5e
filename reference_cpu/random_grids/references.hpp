#pragma once
// The references of random_grids as plain functions: the result of one unit (workload.hpp says how it is laid out).

#include <cstdint>

#include "harness/bench/variant.hpp"

namespace lockstep::random_grids {

// Halving with `lanes` engines: 1 threadwise, 32 warpwise.
bench::UnitResult halving_stream(bench::Problem const& problem, std::uint64_t unit, unsigned lanes);

// The list of empty sites (slide "Traditional sequential algorithms", variation 1).
bench::UnitResult list_stream(bench::Problem const& problem, std::uint64_t unit);

// Probing for empty sites (variation 2).
bench::UnitResult probe_stream(bench::Problem const& problem, std::uint64_t unit);

}  // namespace lockstep::random_grids
