#pragma once
// Where a program calls an operation that the emulator checks: the last, defaulted argument of each such function.

#include "harness/simt/emulator/runtime.hpp"

namespace lockstep::simt::cuda {

using Site = std::source_location;

}  // namespace lockstep::simt::cuda

#define LOCKSTEP_HERE lockstep::simt::cuda::Site site = lockstep::simt::cuda::Site::current()
