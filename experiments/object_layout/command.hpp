#pragma once
// `lockstep traffic`: the paper's traffic simulation as a tool.

namespace lockstep::object_layout {

// Throws bench::Error for options that do not fit; returns the exit code.
int traffic_command(int argc, char const* const* argv);

}  // namespace lockstep::object_layout
