#pragma once
// Exact law of the halving loop's number of steps, by dynamic programming, for ideal random words.
//
//   T(m, r), m candidates of which r are still wanted: T(m, 0) = 0 and
//   T(m, r) = 1 + sum_j C(m, j) / 2^m (j <= r ? T(m - j, r - j) : T(j, r))

#include <vector>

namespace lockstep::random_grids {

// Expected steps for every k in 0..sites. Time and memory grow as sites^3 and sites^2: meant for up to about 1024.
std::vector<double> expected_steps(unsigned sites);

// P(steps <= t) for t = 0, 1, ... last.
std::vector<double> steps_distribution(unsigned sites, unsigned occupied, unsigned last);

// Expected largest number of steps among `lanes` independent sets, over the expected number of one: what loop
// divergence costs a warp.
double divergence_factor(std::vector<double> const& distribution, unsigned lanes);

// Expected steps for k in the middle, within 0.3 of a step: for declaring work only.
double typical_steps(unsigned sites);

}  // namespace lockstep::random_grids
