#pragma once

#include <string>

namespace lockstep::jit {

// Returns the 64-bit FNV-1a digest of the text, the key of texts compiled with this build.
unsigned long long text_digest(std::string const& text);

}  // namespace lockstep::jit
