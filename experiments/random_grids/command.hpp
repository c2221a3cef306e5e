#pragma once
// `lockstep grids`: the paper's method as a tool. Prints boards with a given number of occupied sites.

namespace lockstep::random_grids {

// argv[0] is the name of the command. Boards go to standard output. Throws bench::Error for a user's mistake.
int grids_command(int argc, char const* const* argv);

}  // namespace lockstep::random_grids
