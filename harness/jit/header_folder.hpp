#pragma once
// The embedded headers as files, for the machine's C++ compiler.

#include <string>
#include <vector>

#include "harness/simt/embedded_text.hpp"

namespace lockstep::jit {

// Returns a folder of the cache, below `cache_name`, with exactly these headers. Its name is their digest.
std::string header_folder(std::string const& cache_name, std::vector<simt::EmbeddedText> const& headers);

}  // namespace lockstep::jit
