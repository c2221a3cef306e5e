#include "reference_cpu/random_grids/dense_plan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace lockstep::random_grids {

namespace {

// Instructions of a warp, roughly: a random word combined into a row, and one probe of all lanes.
constexpr double cost_of_word = 8.5;
constexpr double cost_of_probe = 13.0;

// How far the unluckiest of a warp's teams is from the mean, in standard deviations.
double spread_of(DenseTeam const& team) {
    unsigned const boards = 32 / team.lanes;
    double const spread = boards >= 32 ? 2.1 : boards >= 16 ? 1.8 : boards >= 8 ? 1.5 : boards >= 4 ? 1.2 : 0.9;
    return spread / std::sqrt(static_cast<double>(team.boards));
}

double cost_of(DenseTeam const& team, double candidates, double wanted, DensePlan const& plan) {
    double const density = plan.numerator / static_cast<double>(1u << plan.digits);
    double const deviation = std::sqrt(candidates * density * (1 - density));
    double const mean = candidates * density;
    double const spread = spread_of(team) * deviation;
    double const missing = std::max(0.0, wanted - mean + spread);
    double const too_many = std::max(0.0, mean + spread - wanted);
    double const positions = team.positions();
    double const to_add = missing * positions / (candidates - wanted + missing / 2);
    double const to_remove = too_many == 0 ? 0 : too_many * positions / (wanted + too_many / 2);
    return plan.digits * team.words * cost_of_word + std::max(to_add, to_remove) / team.lanes * cost_of_probe;
}

}  // namespace

unsigned DenseTeam::field_bits() const {
    return static_cast<unsigned>(std::countr_zero(words * lanes)) + column_bits;
}

unsigned DenseTeam::probes() const { return std::min(4u, 32 / field_bits()); }

DensePlan dense_plan(DenseTeam const& team, unsigned candidates, unsigned wanted) {
    DensePlan best;
    if (wanted == 0) return best;
    double lowest = cost_of(team, candidates, wanted, best);
    for (unsigned digits = 1; digits <= most_digits; ++digits) {
        for (unsigned numerator = 1; numerator <= 1u << (digits - 1); numerator += 2) {
            DensePlan const plan{digits, numerator};
            double const cost = cost_of(team, candidates, wanted, plan);
            if (cost < lowest) {
                lowest = cost;
                best = plan;
            }
        }
    }
    return best;
}

std::vector<DensePlan> dense_plans(DenseTeam const& team, unsigned candidates) {
    std::vector<DensePlan> plans;
    for (unsigned wanted = 0; wanted <= candidates / 2; ++wanted) plans.push_back(dense_plan(team, candidates, wanted));
    return plans;
}

}  // namespace lockstep::random_grids
