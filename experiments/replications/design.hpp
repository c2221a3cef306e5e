#pragma once
// Reads a design of experiments from a CSV file: a header that names parameters of the model (draws; clients,
// utilisation; steps, chunks), then one line per point. Parameters that the header omits keep the value from the
// command line.

#include <string>
#include <vector>

#include "common/replications/measures.hpp"

namespace lockstep::replications {

// Throws bench::Error with line and column if the model does not have a parameter, a value is not a number or is out of
// range, a line's length differs from the header's, or there are no points.
std::vector<DesignPoint> parse_design(std::string const& text, std::string const& file, Model model,
                                      DesignPoint const& defaults);

}  // namespace lockstep::replications
