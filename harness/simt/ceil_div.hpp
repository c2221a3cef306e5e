#pragma once
// Integer division rounded up, for host and device code. Freestanding: NVRTC compiles it without an include path.

#if defined(__CUDACC__)
#define LOCKSTEP_HOST_DEVICE __host__ __device__
#else
#define LOCKSTEP_HOST_DEVICE
#endif

namespace lockstep::simt {

// The number of parts of size `divisor` that `value` needs. Both are nonnegative, and their sum must not overflow.
template <class A, class B>
LOCKSTEP_HOST_DEVICE constexpr auto ceil_div(A value, B divisor) {
    return (value + divisor - 1) / divisor;
}

// Rounds `value` up to a multiple of `divisor`, under the same conditions.
template <class A, class B>
LOCKSTEP_HOST_DEVICE constexpr auto round_up(A value, B divisor) {
    return ceil_div(value, divisor) * divisor;
}

}  // namespace lockstep::simt

#undef LOCKSTEP_HOST_DEVICE
