#include "common/random_grids/expected_steps.hpp"

#include <algorithm>
#include <cmath>

namespace lockstep::random_grids {

namespace {

// C(m, j) / 2^m for all j.
std::vector<double> selection_law(unsigned m) {
    std::vector<double> law(m + 1);
    for (unsigned j = 0; j <= m; ++j) {
        law[j] = std::exp(std::lgamma(m + 1.0) - std::lgamma(j + 1.0) - std::lgamma(m - j + 1.0) - m * std::log(2.0));
    }
    return law;
}

// Probability that a step changes nothing: it selects no candidate, or all of them when only r < m are wanted.
double unchanged(std::vector<double> const& law, unsigned m, unsigned r) { return law[0] + (r < m ? law[m] : 0.0); }

// Table value of the state after a step that selects j candidates: they join the set, or become the candidates.
template <class Table>
double after(Table const& table, unsigned m, unsigned r, unsigned j) {
    return j <= r ? table[m - j][r - j] : table[j][r];
}

}  // namespace

std::vector<double> expected_steps(unsigned sites) {
    std::vector<std::vector<double>> expected(sites + 1);
    expected[0] = {0.0};
    for (unsigned m = 1; m <= sites; ++m) {
        std::vector<double> const law = selection_law(m);
        // Omits selections whose total probability is below 1e-18.
        unsigned const width = static_cast<unsigned>(std::ceil(4.6 * std::sqrt(static_cast<double>(m)))) + 1;
        unsigned const first = m / 2 > width ? m / 2 - width : 0;
        unsigned const last = std::min(m, m / 2 + width);
        expected[m].assign(m + 1, 0.0);
        for (unsigned r = 1; r <= m; ++r) {
            double sum = 1.0;
            for (unsigned j = std::max(first, 1u); j <= last; ++j) {
                if (j == m && r < m)
                    continue;
                sum += law[j] * after(expected, m, r, j);
            }
            expected[m][r] = sum / (1.0 - unchanged(law, m, r));
        }
    }
    return expected[sites];
}

std::vector<double> steps_distribution(unsigned sites, unsigned occupied, unsigned last) {
    // done[m][r]: probability that the loop finds r of m in at most t steps.
    std::vector<std::vector<double>> done(sites + 1);
    std::vector<std::vector<double>> law(sites + 1);
    for (unsigned m = 0; m <= sites; ++m) {
        law[m] = selection_law(m);
        done[m].assign(m + 1, 0.0);
        done[m][0] = 1.0;
    }
    std::vector<double> distribution = {done[sites][occupied]};
    for (unsigned t = 1; t <= last; ++t) {
        std::vector<std::vector<double>> next = done;
        for (unsigned m = 1; m <= sites; ++m) {
            for (unsigned r = 1; r <= std::min(m, occupied); ++r) {
                double sum = 0;
                for (unsigned j = 0; j <= m; ++j)
                    sum += law[m][j] * after(done, m, r, j);
                next[m][r] = sum;
            }
        }
        done = std::move(next);
        distribution.push_back(done[sites][occupied]);
    }
    return distribution;
}

double divergence_factor(std::vector<double> const& distribution, unsigned lanes) {
    double one = 0;
    double largest = 0;
    for (double const probability : distribution) {
        one += 1.0 - probability;
        largest += 1.0 - std::pow(probability, lanes);
    }
    return one == 0 ? 1.0 : largest / one;
}

double typical_steps(unsigned sites) { return std::max(1.0, std::log2(static_cast<double>(sites)) - 0.15); }

}  // namespace lockstep::random_grids
