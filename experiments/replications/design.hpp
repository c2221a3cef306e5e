#pragma once
// A design of experiments as a CSV file: a header that names parameters of the model (draws; clients, utilisation;
// steps, chunks), then a line a point. Parameters that it leaves out keep the command line's value.

#include <string>
#include <vector>

#include "common/replications/measures.hpp"

namespace lockstep::replications {

// Throws bench::Error with line and column: a parameter that the model does not have, a value that is no number or out
// of range, a line of another length, no point at all.
std::vector<DesignPoint> parse_design(std::string const& text, std::string const& file, Model model,
                                      DesignPoint const& defaults);

}  // namespace lockstep::replications
