#pragma once
// Votes and shuffles without _sync, as compilers had them before CUDA 9: for the lanes that are at the call together.
// nvcc refuses them for a device of compute capability 7.0 and more, where lanes need not be together, and so does the
// emulator unless the program is for an older device: `-D LOCKSTEP_BEFORE_VOLTA`. Lanes run one by one here all the
// same, so code that leaves out barriers because a warp runs in step is reported as a race, and in the order `unfair`,
// in which lanes do not come together in time, a function of this file may be refused.

#if defined(LOCKSTEP_BEFORE_VOLTA)

#include "harness/simt/cuda_api/barriers.hpp"
#include "harness/simt/cuda_api/warp.hpp"

// NOLINTBEGIN(bugprone-reserved-identifier): the names are CUDA's.
inline int __any(int predicate, LOCKSTEP_HERE) { return __any_sync(__activemask(site), predicate, site); }
inline int __all(int predicate, LOCKSTEP_HERE) { return __all_sync(__activemask(site), predicate, site); }
inline unsigned __ballot(int predicate, LOCKSTEP_HERE) { return __ballot_sync(__activemask(site), predicate, site); }

template <lockstep::simt::cuda::Exchangeable T>
auto __shfl(T value, int source, int width = 32, LOCKSTEP_HERE) {
    return __shfl_sync(__activemask(site), value, source, width, site);
}
template <lockstep::simt::cuda::Exchangeable T>
auto __shfl_up(T value, unsigned distance, int width = 32, LOCKSTEP_HERE) {
    return __shfl_up_sync(__activemask(site), value, distance, width, site);
}
template <lockstep::simt::cuda::Exchangeable T>
auto __shfl_down(T value, unsigned distance, int width = 32, LOCKSTEP_HERE) {
    return __shfl_down_sync(__activemask(site), value, distance, width, site);
}
template <lockstep::simt::cuda::Exchangeable T>
auto __shfl_xor(T value, int lane_mask, int width = 32, LOCKSTEP_HERE) {
    return __shfl_xor_sync(__activemask(site), value, lane_mask, width, site);
}
// NOLINTEND(bugprone-reserved-identifier)

#endif
