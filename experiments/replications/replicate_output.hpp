#pragma once
// What `replicate` prints and writes.

#include <string>

#include "experiments/replications/replicate_report.hpp"

namespace lockstep::replications {

void print(Report const& report);
std::string json_of(Report const& report);
std::string csv_of(Simulation const& simulation, Results const& results);

}  // namespace lockstep::replications
