#pragma once
// The sub-commands `lockstep replicate` and `lockstep weave`.

namespace lockstep::replications {

// Runs replications of a model, prints their statistics and optionally writes all of them to a CSV file. argv[0] is the
// name of the command. Throws bench::Error for invalid input.
int replicate_command(int argc, char const* const* argv);

// Weaves annotated kernels (weave.hpp).
int weave_command(int argc, char const* const* argv);

}  // namespace lockstep::replications
