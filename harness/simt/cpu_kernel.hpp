#pragma once
// The kernel header for plain host code: device functions that do not depend on a lane (random engines, bit tricks)
// also run on the CPU.

#include "harness/simt/ceil_div.hpp"
#include "harness/simt/emulator/intrinsics.hpp"
#include "harness/simt/emulator/qualifiers.hpp"

namespace lockstep::simt::cpu {

using simt::ceil_div;
using simt::round_up;

}  // namespace lockstep::simt::cpu
