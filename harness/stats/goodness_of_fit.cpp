#include "harness/stats/goodness_of_fit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include <boost/math/special_functions/gamma.hpp>

namespace lockstep::stats {
namespace {

using Matrix = std::vector<double>;  // square, in row-major order

// Durbin's matrix: entry (i, j) is 1 / (i - j + 1)!, except in the first column and last row, where powers of h are
// subtracted.
Matrix durbin_matrix(std::size_t size, double h) {
    std::vector<double> inverse_factorial(size + 1, 1.0);
    for (std::size_t i = 1; i <= size; ++i) {
        inverse_factorial[i] = inverse_factorial[i - 1] / static_cast<double>(i);
    }
    Matrix matrix(size * size, 0.0);
    for (std::size_t row = 0; row < size; ++row) {
        for (std::size_t column = 0; column <= std::min(row + 1, size - 1); ++column) {
            matrix[row * size + column] = inverse_factorial[row - column + 1];
        }
    }
    for (std::size_t i = 0; i < size; ++i) {
        double const taken = std::pow(h, static_cast<double>(i + 1)) * inverse_factorial[i + 1];
        matrix[i * size] -= taken;
        matrix[(size - 1) * size + (size - 1 - i)] -= taken;
    }
    // The loop subtracted h^size from the corner twice, as required. If 2 h > 1, the corner also gains (2 h - 1)^size.
    if (2 * h > 1) {
        matrix[(size - 1) * size] += std::pow(2 * h - 1, static_cast<double>(size)) * inverse_factorial[size];
    }
    return matrix;
}

// P(D_n < d): n! / n^n times the middle entry of the n-th power of Durbin's matrix. Only the middle row of the power is
// computed.
double kolmogorov_exact(std::size_t n, double d) {
    double const nd = static_cast<double>(n) * d;
    auto const k = static_cast<std::size_t>(nd) + 1;
    std::size_t const size = 2 * k - 1;
    Matrix const matrix = durbin_matrix(size, static_cast<double>(k) - nd);
    std::vector<double> row(size, 0.0);
    row[k - 1] = 1;
    for (std::size_t step = 1; step <= n; ++step) {
        std::vector<double> next(size, 0.0);
        for (std::size_t inner = 0; inner < size; ++inner) {
            for (std::size_t column = 0; column < size; ++column) {
                next[column] += row[inner] * matrix[inner * size + column];
            }
        }
        // Multiplying by step / n in each step keeps the entries within range.
        for (double& entry : next) {
            entry *= static_cast<double>(step) / static_cast<double>(n);
        }
        row = std::move(next);
    }
    return std::clamp(row[k - 1], 0.0, 1.0);
}

// 1 - P(D_n < d) in the limit of large n.
double kolmogorov_tail(std::size_t n, double d) {
    double const root = std::sqrt(static_cast<double>(n));
    double const x = (root + 0.12 + 0.11 / root) * d;
    if (x < 0.2) {
        return 1;
    }  // the sum below converges slowly here, and P(D_n < d) is below 1e-12
    double sum = 0;
    for (int term = 1; term <= 100; ++term) {
        sum += (term % 2 == 1 ? 2 : -2) * std::exp(-2.0 * term * term * x * x);
    }
    return std::clamp(sum, 0.0, 1.0);
}

}  // namespace

ChiSquare chi_square(std::span<std::uint64_t const> observed, std::span<double const> expected, unsigned constraints) {
    if (observed.size() != expected.size()) {
        throw std::invalid_argument("chi-square: observed and expected have different numbers of cells");
    }
    if (observed.size() <= constraints) {
        throw std::invalid_argument("chi-square: no degrees of freedom are left (too few cells)");
    }
    if (!std::all_of(expected.begin(), expected.end(), [](double cell) { return cell >= 5 && std::isfinite(cell); })) {
        throw std::invalid_argument("chi-square: the expected count of a cell is below 5");
    }
    ChiSquare result;
    double total_observed = 0;
    for (std::size_t i = 0; i < observed.size(); ++i) {
        double const difference = static_cast<double>(observed[i]) - expected[i];
        result.statistic += difference * difference / expected[i];
        total_observed += static_cast<double>(observed[i]);
    }
    double const total_expected = std::accumulate(expected.begin(), expected.end(), 0.0);
    if (std::abs(total_observed - total_expected) > 1e-9 * total_expected) {
        throw std::invalid_argument("chi-square: observed and expected counts have different totals");
    }
    result.degrees_of_freedom = static_cast<double>(observed.size() - constraints);
    result.p = boost::math::gamma_q(result.degrees_of_freedom / 2, result.statistic / 2);
    return result;
}

ChiSquare chi_square_uniform(std::span<std::uint64_t const> observed) {
    double const total = std::accumulate(observed.begin(), observed.end(), 0.0, [](double sum, std::uint64_t cell) {
        return sum + static_cast<double>(cell);
    });
    std::vector<double> const expected(observed.size(), total / static_cast<double>(observed.size()));
    return chi_square(observed, expected);
}

TestResult kolmogorov_smirnov_uniform(std::span<double const> values) {
    if (values.empty()) {
        throw std::invalid_argument("Kolmogorov-Smirnov: no values");
    }
    if (!std::all_of(values.begin(), values.end(), [](double value) { return value >= 0 && value <= 1; })) {
        throw std::invalid_argument("Kolmogorov-Smirnov: a value is outside 0 .. 1");
    }
    std::vector<double> ordered(values.begin(), values.end());
    std::sort(ordered.begin(), ordered.end());
    auto const n = static_cast<double>(ordered.size());
    double distance = 0;
    for (std::size_t i = 0; i < ordered.size(); ++i) {
        auto const below = static_cast<double>(i);
        distance = std::max({distance, (below + 1) / n - ordered[i], ordered[i] - below / n});
    }
    double const p = ordered.size() <= 200 ? 1 - kolmogorov_exact(ordered.size(), distance)
                                           : kolmogorov_tail(ordered.size(), distance);
    return {distance, p};
}

}  // namespace lockstep::stats
