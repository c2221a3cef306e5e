#pragma once
// Goodness-of-fit tests: does a sample follow the expected distribution? If it does, p is uniform on 0 .. 1, so p
// values from many seeds can in turn be tested for uniformity. Invalid arguments throw std::invalid_argument.

#include <cstdint>
#include <span>

namespace lockstep::stats {

struct TestResult {
    double statistic = 0;
    double p = 1;  // probability of a statistic at least as large, if the sample follows the distribution
};

struct ChiSquare : TestResult {
    double degrees_of_freedom = 0;
};

// Pearson's statistic, the sum of (observed - expected)^2 / expected. Each expected count must be at least 5 for the
// approximation to hold (pool rare cells first), and both totals must be equal. `constraints` is 1 for the total plus
// the number of parameters estimated from the counts.
ChiSquare chi_square(std::span<std::uint64_t const> observed, std::span<double const> expected,
                     unsigned constraints = 1);

// The same, with all cells equally likely.
ChiSquare chi_square_uniform(std::span<std::uint64_t const> observed);

// The two-sided Kolmogorov-Smirnov test that values in 0 .. 1 are uniform. p is exact up to 200 values (Marsaglia,
// Tsang and Wang, "Evaluating Kolmogorov's distribution", Journal of Statistical Software 8(18), 2003), beyond that it
// is the limiting distribution with Stephens' correction, accurate to about 0.001.
TestResult kolmogorov_smirnov_uniform(std::span<double const> values);

}  // namespace lockstep::stats
