#pragma once
// Exact distribution of the halving loop's number of steps, by dynamic programming, for ideal random words.
//
//   T(m, r): expected steps with m candidates if r of them are still wanted. T(m, 0) = 0 and
//   T(m, r) = 1 + sum_j C(m, j) / 2^m (j <= r ? T(m - j, r - j) : T(j, r))

#include <vector>

namespace lockstep::random_grids {

// Expected steps for every k in 0..sites. Time grows as sites^3 and memory as sites^2; intended for up to about 1024
// sites.
std::vector<double> expected_steps(unsigned sites);

// P(steps <= t) for t = 0, 1, ... last.
std::vector<double> steps_distribution(unsigned sites, unsigned occupied, unsigned last);

// Expected maximum number of steps among `lanes` independent sets, divided by the expected number for one set: the cost
// of loop divergence for a warp.
double divergence_factor(std::vector<double> const& distribution, unsigned lanes);

// Expected steps for k near half of the sites, within 0.3 steps. Use it only to declare work.
double typical_steps(unsigned sites);

}  // namespace lockstep::random_grids
