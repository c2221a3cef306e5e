#pragma once
// The checksum that stands for a stream's grids where output is `folded`: one multiplication and addition a word. The
// multiplier is odd, so no single changed word goes unseen. Each lane that draws folds the words that it holds, in
// their order.

#include "harness/simt/kernel.hpp"

namespace lockstep::random_grids::LOCKSTEP_MACHINE {

__host__ __device__ inline unsigned fold(unsigned sum, unsigned word) { return sum * 0x9E3779B1u + word; }

}  // namespace lockstep::random_grids::LOCKSTEP_MACHINE
