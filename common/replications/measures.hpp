#pragma once
// Results in the user's units: the measures of a replication, and the CSV output.

#include <cstdint>
#include <string>
#include <vector>

#include "common/replications/workload.hpp"

namespace lockstep::replications {

// A point as the user wrote it. `Point` holds the parameters that the model derives from it.
struct DesignPoint {
    std::uint64_t items = 0;
    double utilisation = 0;
    unsigned chunks = 0;
};

// Names of a model's measures. pi: pi. mm1: idle, in_queue and in_system (each a mean over the customers, in mean
// service times). walk and chunk_walk: crossings. branches: word, the mean
// of the words that the steps make, over 2^32.
std::vector<std::string> measure_names(Model model);

// The measures of one replication, in the order of measure_names(). They are 0 if the replication has no items.
std::vector<double> measures_of(Model model, DesignPoint const& point, bench::UnitResult const& result);

std::string csv_header(Model model);
std::string csv_line(Model model, DesignPoint const& point, std::uint64_t point_number, std::uint64_t replication,
                     bench::UnitResult const& result);

}  // namespace lockstep::replications
