#pragma once
// Does a sample follow the law it should? Tests whose p is uniform on 0 .. 1 if it does: many seeds give many p, and
// those are tested for uniformity in turn. Bad arguments throw std::invalid_argument.

#include <cstdint>
#include <span>

namespace lockstep::stats {

struct TestResult {
    double statistic = 0;
    double p = 1;  // probability of a statistic at least as large, if the law holds
};

struct ChiSquare : TestResult {
    double degrees_of_freedom = 0;
};

// Pearson's statistic, sum of (observed - expected)^2 / expected. Each cell expects at least 5 (the approximation needs
// it: pool rare cells first) and both sides add up to the same total. `constraints` is 1, for that total, and one more
// for each parameter estimated from the counts.
ChiSquare chi_square(std::span<std::uint64_t const> observed, std::span<double const> expected,
                     unsigned constraints = 1);

// All cells equally likely.
ChiSquare chi_square_uniform(std::span<std::uint64_t const> observed);

// Kolmogorov and Smirnov's test that values in 0 .. 1 are uniform, two-sided. p is exact up to 200 values (Marsaglia,
// Tsang and Wang, "Evaluating Kolmogorov's distribution", Journal of Statistical Software 8(18), 2003), beyond that the
// limit law with Stephens' correction, right to about 0.001.
TestResult kolmogorov_smirnov_uniform(std::span<double const> values);

}  // namespace lockstep::stats
