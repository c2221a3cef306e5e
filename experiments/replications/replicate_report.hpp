#pragma once
// What `replicate` computes from the results of replications.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/replications/coverage.hpp"
#include "common/replications/estimates.hpp"
#include "experiments/replications/simulation.hpp"

namespace lockstep::replications {

// Results of each point, in the order of the replications.
using Results = std::vector<std::vector<bench::UnitResult>>;

using Estimates = std::vector<std::vector<Estimate>>;  // by point, then by measure

Estimates estimates_of(Simulation const& simulation, Results const& results, Analysis const& analysis);
// Of points 1, 2, .. from point 0.
Estimates differences_of(Simulation const& simulation, Results const& results, Analysis const& analysis);
bool are_precise(Estimates const& estimates, Analysis const& analysis);

// What was run, for the output.
struct Report {
    Simulation const& simulation;
    Results const& results;
    Analysis const& analysis;
    Estimates const& estimates;
    Estimates const& differences;  // empty: none are wanted
    std::string scheme;
    std::string machine;
    std::uint64_t seed = 1;
    std::uint64_t max_replications = 0;
    std::optional<std::uint64_t> warm_up;
    std::uint64_t coverage = 0;  // replications of each sample; 0: not wanted
};

// For a report whose estimates are not precise: the precision that was wanted, the worst one that was reached, and what
// to do.
std::string what_was_reached(Report const& report);

struct MeasureCoverage {
    std::size_t point = 0;
    std::string measure;
    std::string of;  // "mean", "difference" or "quantile 0.5"
    Coverage coverage;
};

// Of the intervals of every estimate of the report.
std::vector<MeasureCoverage> coverages_of(Report const& report);

}  // namespace lockstep::replications
