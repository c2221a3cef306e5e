#pragma once
// `lockstep replicate` and `lockstep weave`: the paper's system as tools.

namespace lockstep::replications {

// Replications of a model, their statistics on standard output and, where asked, a CSV file of all of them. argv[0] is
// the name of the command. Throws bench::Error for a user's mistake.
int replicate_command(int argc, char const* const* argv);

// Weaves annotated kernels (weave.hpp).
int weave_command(int argc, char const* const* argv);

}  // namespace lockstep::replications
