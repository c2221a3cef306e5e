#include "common/random_grids/dense_plan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace lockstep::random_grids {

namespace {

// Approximate number of warp instructions: to combine one random word into a row, and to probe once in all lanes.
constexpr double cost_of_word = 8.5;
constexpr double cost_of_probe = 12.0;
constexpr double cost_of_team_probe = 18.0;
// To throw one ball without reading the site first, and to count one word afterwards.
constexpr double cost_of_ball = 7.5;
constexpr double cost_of_team_ball = 12.0;
constexpr double cost_of_count = 4.0;

// Distance of the unluckiest team of a warp from the mean, in standard deviations.
double spread_of(DenseTeam const& team) {
    unsigned const boards = 32 / team.lanes;
    double const spread = boards >= 32 ? 2.1 : boards >= 16 ? 1.8 : boards >= 8 ? 1.5 : boards >= 4 ? 1.2 : 0.9;
    return spread / std::sqrt(static_cast<double>(team.boards));
}

struct Repair {
    double to_add = 0;     // probes if the pass takes too few sites
    double to_remove = 0;  // probes if it takes too many
};

// Repair of a set that lacks `missing` sites, or has `too_many`.
Repair repair_of(DenseTeam const& team, double candidates, double wanted, double missing, double too_many) {
    double const positions = team.positions();
    return {missing * positions / (candidates - wanted + missing / 2),
            too_many == 0 ? 0 : too_many * positions / (wanted + too_many / 2)};
}

// Number of balls that whole rounds throw, and the expected number of sites still missing afterwards.
struct Throws {
    double balls = 0;
    double missing = 0;
};

Throws throws_of(DenseTeam const& team, double candidates, double wanted, double missing) {
    double const balls_per_round = team.words_thrown() * team.lanes * team.balls();
    double const balls = std::floor(missing / balls_per_round) * balls_per_round;
    double const empty = candidates - wanted + missing;
    return {balls, missing - empty * (1 - std::exp(-balls / team.positions()))};
}

double cost_of(DenseTeam const& team, double candidates, double wanted, DensePlan const& plan, double word) {
    double const density = plan.numerator / static_cast<double>(1u << plan.digits);
    double const deviation = std::sqrt(candidates * density * (1 - density));
    double const mean = candidates * density;
    double const spread = spread_of(team) * deviation;
    double missing = std::max(0.0, wanted - mean + spread);
    double const too_many = std::max(0.0, mean + spread - wanted);
    double cost = plan.digits * team.words * word;
    if (plan.throws) {
        Throws const throws = throws_of(team, candidates, wanted, missing);
        cost += throws.balls * (team.lanes == 1 ? cost_of_ball : cost_of_team_ball / team.lanes);
        cost += team.words * cost_of_count;
        missing = throws.missing + spread_of(team) * std::sqrt(throws.missing);
    }
    Repair const repair = repair_of(team, candidates, wanted, missing, too_many);
    double const probe = team.lanes == 1 ? cost_of_probe : cost_of_team_probe / team.lanes;
    return cost + std::max(repair.to_add, repair.to_remove) * probe;
}

// Words of the dense pass and of the probes that repair its expected result: the expected shortfall and the expected
// excess, each with half of the expected absolute deviation.
double words_of_set(DenseTeam const& team, double words, double candidates, double wanted, DensePlan const& plan) {
    double const density = plan.numerator / static_cast<double>(1u << plan.digits);
    double const off = wanted - candidates * density;
    double const deviation = std::sqrt(candidates * density * (1 - density));
    double const both = std::sqrt(off * off + 0.64 * deviation * deviation);
    double missing = (both + off) / 2;
    double words_drawn = plan.digits * words;
    if (plan.throws) {
        Throws const throws = throws_of(team, candidates, wanted, missing);
        words_drawn += throws.balls / team.balls();
        missing = throws.missing;
    }
    Repair const repair = repair_of(team, candidates, wanted, missing, wanted > 0 ? (both - off) / 2 : 0);
    return words_drawn + (repair.to_add + repair.to_remove) / team.probes();
}

}  // namespace

unsigned DenseTeam::field_bits() const { return static_cast<unsigned>(std::countr_zero(words * lanes)) + column_bits; }

unsigned DenseTeam::ball_bits(unsigned word_bits) const {
    unsigned const needed = static_cast<unsigned>(std::countr_zero(words * lanes)) + ball_word_bit();
    return needed <= word_bits / 2 ? word_bits / 2 : word_bits;
}

unsigned DenseTeam::probes() const { return std::min(4u, 32 / field_bits()); }

DensePlan dense_plan(DenseTeam const& team, unsigned candidates, unsigned wanted, bool mixed, bool may_throw) {
    // Threads of a warp with different numbers of digits all wait for the longest, so up to four digits add no cost.
    bool const shared = mixed && team.lanes == 1;
    double const word = shared ? 0 : cost_of_word;
    unsigned const max_plan_digits = shared ? 4 : max_digits;
    DensePlan best;
    if (wanted == 0)
        return best;
    double lowest = cost_of(team, candidates, wanted, best, word);
    auto const consider = [&](DensePlan const& plan) {
        double const cost = cost_of(team, candidates, wanted, plan, word);
        if (cost < lowest) {
            lowest = cost;
            best = plan;
        }
    };
    for (unsigned digits = 0; digits <= max_plan_digits; ++digits) {
        for (unsigned numerator = digits == 0 ? 0 : 1; numerator <= (1u << digits) / 2; numerator += 2) {
            consider({digits, numerator, false});
            // Lanes of a warp run in lockstep: if their boards differ, all lanes throw as often as the lane that misses
            // the most sites. On boards with bits that are not sites, too many balls are wasted.
            if (may_throw && candidates == team.positions() && (team.lanes == 32 || (digits == 0 && !mixed)))
                consider({digits, numerator, true});
        }
    }
    return best;
}

std::optional<DenseTeam> dense_team(Workload const& workload) {
    unsigned const words = workload.shape.words();
    unsigned const column_bits = workload.shape.width <= 16 ? 4 : 5;
    bool const whole = workload.shape.sites() == 32 * words && workload.planes() == 1;
    if (words <= 16)
        return DenseTeam{1, 16, column_bits, column_bits == 4 ? 2u : 1u};
    if (words <= 32) {
        DenseTeam const pair{1, 32, column_bits, whole && words == 32 ? 2u : 1u};
        // If only probes are left to do, all lanes need about the same number, and more warps help more than a second
        // board.
        bool const alone = !workload.mixed() && workload_plans(workload, pair)[0].digits == 0;
        return alone ? DenseTeam{1, 32, column_bits, 1} : pair;
    }
    if (words == 128 && whole)
        return DenseTeam{1, 128, 5, 1};
    if (words <= 128)
        return DenseTeam{8, 16, 5, 1};
    if (words <= 512)
        return DenseTeam{32, 16, 5, 1};
    return std::nullopt;
}

std::optional<DenseTeam> dense_warp_team(Workload const& workload) {
    unsigned const words = workload.shape.words();
    if (words <= 32)
        return DenseTeam{32, 1, workload.shape.width <= 16 ? 4u : 5u, 1};
    if (words <= 128)
        return DenseTeam{32, 4, 5, 1};
    return std::nullopt;
}

std::vector<DensePlan> workload_plans(Workload const& workload, DenseTeam const& team) {
    std::vector<DensePlan> plans;
    unsigned candidates = workload.shape.sites();
    for (unsigned wanted = 0; workload.mixed() && wanted <= candidates / 2; ++wanted) {
        plans.push_back(dense_plan(team, candidates, wanted, true));
    }
    for (unsigned const occupied : workload.occupied) {
        plans.push_back(
            dense_plan(team, candidates, std::min(occupied, candidates - occupied), false, workload.planes() == 1));
        candidates = occupied;
    }
    return plans;
}

double dense_words(Workload const& workload, DenseTeam const& team) {
    std::vector<DensePlan> const plans = workload_plans(workload, team);
    double const words = team.lanes * team.words;
    double sum = 0;
    if (workload.mixed()) {
        unsigned const sites = workload.shape.sites();
        for (unsigned k = 0; k <= sites; ++k) {
            unsigned const wanted = std::min(k, sites - k);
            sum += words_of_set(team, words, sites, wanted, plans[wanted]) / (sites + 1.0);
        }
        return sum;
    }
    unsigned candidates = workload.shape.sites();
    for (std::size_t plane = 0; plane < plans.size(); ++plane) {
        unsigned const k = workload.occupied[plane];
        if (candidates != 0)
            sum += words_of_set(team, words, candidates, std::min(k, candidates - k), plans[plane]);
        candidates = k;
    }
    return sum;
}

}  // namespace lockstep::random_grids
