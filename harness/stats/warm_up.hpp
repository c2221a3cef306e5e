#pragma once
// Where a simulation that starts away from its steady state has warmed up.

#include <cstddef>
#include <optional>
#include <span>

namespace lockstep::stats {

// MSER-5 (White, Cobb and Spratt, "A comparison of five steady-state truncation heuristics for simulation", Winter
// Simulation Conference 2000): the number of leading values to leave out, a multiple of 5, so that the standard error
// of the mean of the others is smallest. `series` is cut into means of 5 values; truncation points are those of its
// first half. Empty if the series has fewer than 20 values, or the best point is at the end of the first half: the
// series is too short for its warm-up then. Throws std::invalid_argument for values that are not finite.
std::optional<std::size_t> mser5(std::span<double const> series);

}  // namespace lockstep::stats
