#pragma once
// The options of `replicate`, and the simulation that they name.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/replications/estimates.hpp"
#include "experiments/replications/simulation.hpp"
#include "harness/cli/axis_options.hpp"
#include "harness/cli/command_line.hpp"

namespace lockstep::replications {

struct Request {
    std::string model;  // built in
    std::string model_file;
    std::vector<std::string> settings;
    std::uint64_t replications = 30;
    cli::AxisTexts axes;
    std::string scheme = "auto";
    std::string machine = "auto";
    std::uint64_t seed = 1;
    std::uint64_t devices = 1;
    std::uint64_t max_replications = 1u << 20;
    std::string design;
    std::string csv;
    double timeout = 0;  // seconds; 0: none
    bool json = false;

    Analysis analysis;
    std::string interval = "skewed";  // of means
    std::string quantiles;
    std::string warm_up;  // a number of steps, or mser-5
    std::string series;
    bool common_random_numbers = false;
    std::uint64_t coverage = 0;  // replications of each sample; 0: not wanted

    bool stops_by_precision() const { return analysis.relative_precision > 0 || analysis.absolute_precision > 0; }
};

// Reads the command line. Throws bench::Error for values that are out of range, or that do not go together.
Request read_request(int argc, char const* const* argv, bench::Experiment const& experiment);

// Reads the model file and the design, and makes a simulation for each device. `own` points to the first if it is of a
// model file, else it is null.
std::vector<std::unique_ptr<Simulation>> simulations_of(Request const& request, bench::Experiment const& experiment,
                                                        ModelSimulation*& own);

}  // namespace lockstep::replications
