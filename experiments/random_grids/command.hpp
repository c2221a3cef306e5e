#pragma once
// Command `lockstep grids`: prints boards with a given number of occupied sites, drawn by the paper's method.

namespace lockstep::random_grids {

// argv[0] is the name of the command. Writes boards to standard output. Throws bench::Error for a user's mistake.
int grids_command(int argc, char const* const* argv);

}  // namespace lockstep::random_grids
