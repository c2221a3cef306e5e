#pragma once
// Replications in the user's units: what is measured in each, their statistics, and the CSV of all of them.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/replications/workload.hpp"
#include "harness/stats/interval.hpp"

namespace lockstep::replications {

// A point as the user wrote it, beside the model's parameters.
struct DesignPoint {
    std::uint64_t items = 0;
    double utilisation = 0;
    unsigned chunks = 0;
};

// Names of what a replication measures: pi; idle, in_queue and in_system (each a mean over the customers, in mean
// service times); crossings.
std::vector<std::string> measure_names(Model model);

// The measures of one replication, in that order. Zero items measure 0.
std::vector<double> measures_of(Model model, DesignPoint const& point, bench::UnitResult const& result);

// What is known of one measure at one point.
struct Estimate {
    double mean = 0;
    std::optional<double> deviation;          // none for a single replication
    std::optional<stats::Interval> interval;  // Student's, at 0.95
    // Half the interval over the mean; none without an interval or where the mean is 0.
    std::optional<double> relative_precision() const;
};

Estimate estimate(std::vector<double> const& sample);

std::string csv_header(Model model);
std::string csv_line(Model model, DesignPoint const& point, std::uint64_t point_number, std::uint64_t replication,
                     bench::UnitResult const& result);

}  // namespace lockstep::replications
