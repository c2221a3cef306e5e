#pragma once
// The kernel header in plain host code: device functions that need no lane (engines, bit tricks) run on the CPU as they
// stand.

#include "harness/simt/ceil_div.hpp"
#include "harness/simt/emulator/intrinsics.hpp"
#include "harness/simt/emulator/qualifiers.hpp"

namespace lockstep::simt::cpu {

using simt::ceil_div;
using simt::round_up;

}  // namespace lockstep::simt::cpu
