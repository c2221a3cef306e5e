#pragma once

#include <string>

namespace lockstep::jit {

// 64-bit FNV-1a. Texts that were compiled with this build are found by it.
unsigned long long text_digest(std::string const& text);

}  // namespace lockstep::jit
