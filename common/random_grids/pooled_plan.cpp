#include "common/random_grids/pooled_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace lockstep::random_grids {

namespace {

// Approximate number of issue slots of a warp.
struct Costs {
    double word = 0;   // to draw one random word per lane and to combine it into a row
    double probe = 0;  // to probe once, with its share of a word
};

Costs costs_of(Workload const& workload, PooledForm const& form) {
    // Philox multiplies 32 by 32 bits to 64, which the multipliers do at half of their rate or less.
    double const word = workload.engine == "xorwow"    ? 8.0
                        : workload.engine == "philox7" ? 16.0
                        : workload.engine == "taus88"  ? 15.0
                                                       : 23.0;
    constexpr double probe_alone = 11.0;
    return {word, probe_alone + word / form.probes};
}

// Expected number of probes after a pass over `candidates` of which `wanted` remain. By the normal approximation, the
// pass takes too few sites by `up` on average, and too many by `down`.
double probes_expected(double sites, double candidates, double wanted, double density) {
    double const off = wanted - candidates * density;
    double const deviation = std::sqrt(candidates * density * (1 - density));
    if (deviation == 0)
        return off == 0 ? 0 : off * sites / (candidates - wanted + off / 2);
    double const z = off / deviation;
    double const up = deviation * std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi) +
                      off * std::erfc(-z / std::numbers::sqrt2) / 2;
    double const down = up - off;
    return up * sites / (candidates - wanted + up / 2) + down * sites / (wanted + down / 2);
}

struct Choice {
    unsigned numerator = 0;
    double probes = 0;
};

// The best numerator for this number of digits. Precondition: wanted <= candidates / 2.
Choice best_numerator(PooledForm const& form, double candidates, double wanted, unsigned digits) {
    Choice best{0, probes_expected(form.sites, candidates, wanted, 0)};
    for (unsigned numerator = 1; wanted != 0 && numerator <= (1u << digits) / 2; ++numerator) {
        double const probes =
            probes_expected(form.sites, candidates, wanted, numerator / static_cast<double>(1u << digits));
        if (probes < best.probes)
            best = {numerator, probes};
    }
    return best;
}

struct CostedPlan {
    PooledPlan plan;
    double words = 0;  // expected random words per board
};

// The best plan for boards that want `wanted` sites each, all equally often.
CostedPlan best_plan(Workload const& workload, PooledForm const& form, unsigned candidates,
                     std::vector<unsigned> const& wanted) {
    Costs const costs = costs_of(workload, form);
    CostedPlan best;
    double lowest = 0;
    for (unsigned digits = 0; digits <= max_pooled_digits; ++digits) {
        PooledPlan plan{digits, {}};
        double probes = 0;
        for (unsigned const number : wanted) {
            Choice const choice = best_numerator(form, candidates, number, digits);
            plan.numerators.push_back(choice.numerator);
            probes += choice.probes / static_cast<double>(wanted.size());
        }
        double const pass = digits * static_cast<double>(form.words);
        double const cost = pass * costs.word + probes * costs.probe;
        if (digits == 0 || cost < lowest) {
            lowest = cost;
            best = {std::move(plan), pass + probes / form.probes};
        }
    }
    return best;
}

std::vector<CostedPlan> costed_plans(Workload const& workload, PooledForm const& form) {
    unsigned candidates = workload.shape.sites();
    std::vector<CostedPlan> plans;
    if (workload.mixed()) {
        std::vector<unsigned> wanted(candidates / 2 + 1);
        for (unsigned k = 0; k < wanted.size(); ++k)
            wanted[k] = k;
        return {best_plan(workload, form, candidates, wanted)};
    }
    for (unsigned const occupied : workload.occupied) {
        plans.push_back(best_plan(workload, form, candidates, {std::min(occupied, candidates - occupied)}));
        candidates = occupied;
    }
    return plans;
}

}  // namespace

std::uint64_t PooledForm::rejected() const {
    std::uint64_t numbers = 1;
    for (unsigned i = 0; i < probes; ++i)
        numbers *= sites;
    return (std::uint64_t{1} << word_bits) % numbers;
}

std::optional<PooledForm> pooled_form(Workload const& workload) {
    unsigned const sites = workload.shape.sites();
    bool const philox = workload.engine == "philox7" || workload.engine == "philox10";
    bool const coloured = workload.planes() > 1;
    bool const whole = workload.shape.width % 32 == 0 && sites == 1024 && !coloured;
    for (unsigned const words : std::array{8u, 20u, 32u, 36u, 72u}) {
        bool const has_kernel = words == 32 ? whole : words == 8 || words == 36 || !coloured;
        if (has_kernel && sites <= 32 * words)
            return PooledForm{sites, words, words <= 32 ? 3u : 2u, philox ? 4u : 2u};
    }
    return std::nullopt;
}

std::vector<PooledPlan> pooled_plans(Workload const& workload, PooledForm const& form) {
    std::vector<PooledPlan> plans;
    for (CostedPlan& costed : costed_plans(workload, form))
        plans.push_back(std::move(costed.plan));
    return plans;
}

double pooled_words(Workload const& workload) {
    double sum = 0;
    for (CostedPlan const& costed : costed_plans(workload, *pooled_form(workload)))
        sum += costed.words;
    return sum;
}

}  // namespace lockstep::random_grids
