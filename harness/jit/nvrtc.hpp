#pragma once
// Compiles CUDA C++ at run time, with a cache.

#include <string>

#include "harness/jit/context.hpp"

namespace lockstep::jit {

// Returns the device code of `text` for compute capability `capability` (90 is 9.0), as input of cudaLibraryLoadData:
// machine code, or PTX if this NVRTC is older than the device. Throws bench::Error if NVRTC is missing or rejects the
// text.
std::string nvrtc_image(std::string const& text, int capability, KernelContext const& context);

// The same, but always compiles: neither reads nor writes the cache.
std::string nvrtc_image_without_cache(std::string const& text, int capability, KernelContext const& context);

}  // namespace lockstep::jit
