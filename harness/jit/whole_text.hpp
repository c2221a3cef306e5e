#pragma once
// Joins a text and the embedded headers that it includes, for a compiler that needs no folder of headers then.

#include <span>
#include <string>
#include <vector>

#include "harness/simt/embedded_text.hpp"

namespace lockstep::jit {

// Replaces each #include "NAME" of the text by the header of that name, once, and so on in the headers. Headers are
// those of harness/simt/device_headers.hpp and of `parts`. harness/simt/kernel.hpp becomes its part for the CPU, which
// the text begins with. An #include of an unknown name stays.
std::string whole_text_for_cpu(std::string const& text, std::span<std::span<simt::EmbeddedText const> const> parts);

// Options of the C++ compiler for such a text: optimised, except in builds for tests. Floating-point operations are
// not contracted.
std::vector<std::string> cpu_options();

}  // namespace lockstep::jit
