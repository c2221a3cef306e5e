#pragma once
// Reads a design of experiments from a CSV file: a header that names parameters of the model (draws; clients,
// utilisation; steps, chunks; or those of a model file), then one line per point. Parameters that the header omits keep
// the value from the command line.

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "common/replications/measures.hpp"
#include "common/replications/model_file/model_file.hpp"

namespace lockstep::replications {

// Throws bench::Error with line and column if the model does not have a parameter, a value is not a number or is out of
// range, a line's length differs from the header's, or there are no points. `given`: parameters that the command line
// sets; it is an error if the design sets them, too.
std::vector<DesignPoint> parse_design(std::string const& text, std::string const& file, Model model,
                                      DesignPoint const& defaults, std::set<std::string> const& given = {});

// A design of a model file: the bits of its parameters by point. `settings` are those of the command line, for
// parameters that the design does not set.
std::vector<std::vector<std::uint64_t>> parse_design(std::string const& text, std::string const& file,
                                                     model_file::ModelFile const& model,
                                                     model_file::Settings const& settings);

}  // namespace lockstep::replications
