#pragma once
// Division rounded up, for host and device code. Freestanding, so that NVRTC reads it without an include path.

#if defined(__CUDACC__)
#define LOCKSTEP_HOST_DEVICE __host__ __device__
#else
#define LOCKSTEP_HOST_DEVICE
#endif

namespace lockstep::simt {

// How many parts of `divisor` hold `value`. For numbers that are not negative and whose sum does not overflow.
template <class A, class B>
LOCKSTEP_HOST_DEVICE constexpr auto ceil_div(A value, B divisor) {
    return (value + divisor - 1) / divisor;
}

// The least multiple of `divisor` that is not below `value`; the same conditions.
template <class A, class B>
LOCKSTEP_HOST_DEVICE constexpr auto round_up(A value, B divisor) {
    return ceil_div(value, divisor) * divisor;
}

}  // namespace lockstep::simt

#undef LOCKSTEP_HOST_DEVICE
