#pragma once
// Requests on registers, for loops whose time depends on which registers the assembler assigns. The values stay as they
// are, and on the emulator nothing happens.
//
//   unsigned const first = in_register(row * width);   // computed once, and not again at each use
//   register_quad(a, b, c, d);                         // neighbours, the first one's number a multiple of four

#include "harness/simt/kernel.hpp"

#if defined(__CUDACC__) && !defined(LOCKSTEP_EMULATOR)  // `lockstep emulate` has no PTX

namespace lockstep::simt::cuda {

__device__ __forceinline__ unsigned in_register(unsigned value) {
    asm volatile("" : "+r"(value));
    return value;
}

// Neighbouring registers are what a store of a vector needs. This one is never done: no block has so many threads.
__device__ __forceinline__ void register_pair(float& even, float& odd) {
    asm volatile("{\n\t.reg .pred p;\n\tsetp.eq.u32 p, %2, 0xFFFFFFFF;\n\t@p st.shared.v2.f32 [%2], {%0, %1};\n\t}"
                 : "+f"(even), "+f"(odd)
                 : "r"(blockDim.x));
}
__device__ __forceinline__ void register_quad(float& a, float& b, float& c, float& d) {
    asm volatile(
        "{\n\t.reg .pred p;\n\tsetp.eq.u32 p, %4, 0xFFFFFFFF;\n\t@p st.shared.v4.f32 [%4], {%0, %1, %2, %3};\n\t}"
        : "+f"(a), "+f"(b), "+f"(c), "+f"(d)
        : "r"(blockDim.x));
}

}  // namespace lockstep::simt::cuda

#else

namespace lockstep::simt::LOCKSTEP_MACHINE {

inline unsigned in_register(unsigned value) { return value; }
inline void register_pair(float&, float&) {}
inline void register_quad(float&, float&, float&, float&) {}

}  // namespace lockstep::simt::LOCKSTEP_MACHINE

#endif
