#pragma once
// One word of the toy experiment's result, for every machine.

#include "harness/simt/kernel.hpp"

namespace lockstep::toy::LOCKSTEP_MACHINE {

__host__ __device__ inline unsigned word_of(unsigned long long seed, unsigned long long unit, unsigned factor,
                                            unsigned word) {
    return static_cast<unsigned>(seed * 77 + unit * factor + word * 1000003u);
}

}  // namespace lockstep::toy::LOCKSTEP_MACHINE
