#pragma once
// The sub-command `lockstep traffic`: the paper's traffic simulation.

namespace lockstep::object_layout {

// Runs the simulation and returns the exit code. Throws bench::Error for invalid options.
int traffic_command(int argc, char const* const* argv);

}  // namespace lockstep::object_layout
