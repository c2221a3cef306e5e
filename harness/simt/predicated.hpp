#pragma once
// An operation under a predicate, which takes one instruction where an operation and a selection take two.

#include "harness/simt/kernel.hpp"

#if defined(__CUDACC__) && !defined(LOCKSTEP_EMULATOR)  // `lockstep emulate` has no PTX

namespace lockstep::simt::cuda {

// word = a * b + 1, rounded once, if bits is not 0.
__device__ __forceinline__ void fma_plus_one_if(unsigned bits, float& word, float a, float b) {
    asm("{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %3, 0;\n\t@p fma.rn.f32 %0, %1, %2, 0f3F800000;\n\t}"
        : "+f"(word)
        : "f"(a), "f"(b), "r"(bits));
}

}  // namespace lockstep::simt::cuda

#else

namespace lockstep::simt::LOCKSTEP_MACHINE {

inline void fma_plus_one_if(unsigned bits, float& word, float a, float b) {
    if (bits != 0)
        word = fmaf(a, b, 1.0f);
}

}  // namespace lockstep::simt::LOCKSTEP_MACHINE

#endif
