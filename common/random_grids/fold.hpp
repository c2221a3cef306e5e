#pragma once
// Checksum of a stream's grids for `output` = folded: one multiplication and one addition per word. The multiplier is
// odd, so every change of a single word changes the sum. Each drawing lane folds the words that it holds, in their
// order.

#include "harness/simt/kernel.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

__host__ __device__ inline unsigned fold(unsigned sum, unsigned word) { return sum * 0x9E3779B1u + word; }

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
