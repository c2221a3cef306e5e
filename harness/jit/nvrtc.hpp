#pragma once
// CUDA C++ compiled at run time, kept in the cache.

#include <string>

#include "harness/jit/context.hpp"

namespace lockstep::jit {

// The device code of `text` for compute capability `capability` (90 is 9.0), as cudaLibraryLoadData takes it: machine
// code, or PTX where this NVRTC is older than the device. Throws bench::Error where NVRTC is missing or rejects the
// text.
std::string nvrtc_image(std::string const& text, int capability, KernelContext const& context);

}  // namespace lockstep::jit
