#pragma once
// Results in the user's units: the measures of a replication, their statistics, and the CSV output.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/replications/workload.hpp"
#include "harness/stats/interval.hpp"

namespace lockstep::replications {

// A point as the user wrote it. `Point` holds the parameters that the model derives from it.
struct DesignPoint {
    std::uint64_t items = 0;
    double utilisation = 0;
    unsigned chunks = 0;
};

// Names of a model's measures. pi: pi. mm1: idle, in_queue and in_system (each a mean over the customers, in mean
// service times). walk: crossings.
std::vector<std::string> measure_names(Model model);

// The measures of one replication, in the order of measure_names(). They are 0 if the replication has no items.
std::vector<double> measures_of(Model model, DesignPoint const& point, bench::UnitResult const& result);

// The estimate of one measure at one point.
struct Estimate {
    double mean = 0;
    std::optional<double> deviation;          // none for a single replication
    std::optional<stats::Interval> interval;  // Student's, at 0.95
    // Half the width of the interval divided by the mean; none if there is no interval or the mean is 0.
    std::optional<double> relative_precision() const;
};

Estimate estimate(std::vector<double> const& sample);

std::string csv_header(Model model);
std::string csv_line(Model model, DesignPoint const& point, std::uint64_t point_number, std::uint64_t replication,
                     bench::UnitResult const& result);

}  // namespace lockstep::replications
