#pragma once
// The sub-commands `lockstep traffic`, the paper's simulation, and `lockstep simulate`, of objects that see one
// another.

namespace lockstep::object_layout {

// Run a simulation and return the exit code. Throw bench::Error for invalid options.
int traffic_command(int argc, char const* const* argv);
int simulate_command(int argc, char const* const* argv);

}  // namespace lockstep::object_layout
