#pragma once
// The kernel header for plain host code: device functions that do not depend on a lane (random engines, bit tricks)
// also run on the CPU.

#include "harness/simt/emulator/intrinsics.hpp"
#include "harness/simt/emulator/qualifiers.hpp"
