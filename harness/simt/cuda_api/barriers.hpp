#pragma once
// Barriers of a block and of a warp, memory fences, and what else affects a lane's execution: __nanosleep, __trap,
// clock.

#include <chrono>

#include "harness/simt/cuda_api/site.hpp"
#include "harness/simt/emulator/runtime.hpp"
#include "harness/simt/emulator/scoped_access.hpp"

// NOLINTBEGIN(bugprone-reserved-identifier): the names are CUDA's.
inline void __syncthreads(LOCKSTEP_HERE) {
    lockstep::simt::emulator::block_barrier(lockstep::simt::emulator::Barrier::plain, 0, site);
}
inline int __syncthreads_count(int predicate, LOCKSTEP_HERE) {
    return lockstep::simt::emulator::block_barrier(lockstep::simt::emulator::Barrier::count, predicate, site);
}
inline int __syncthreads_and(int predicate, LOCKSTEP_HERE) {
    return lockstep::simt::emulator::block_barrier(lockstep::simt::emulator::Barrier::all, predicate, site);
}
inline int __syncthreads_or(int predicate, LOCKSTEP_HERE) {
    return lockstep::simt::emulator::block_barrier(lockstep::simt::emulator::Barrier::any, predicate, site);
}
inline void __syncwarp(unsigned mask = 0xFFFFFFFFu, LOCKSTEP_HERE) {
    lockstep::simt::emulator::warp_collective(lockstep::simt::emulator::Collective::sync_warp, mask, 0, 0, 32, site);
}

// The lanes of the warp that are at this call together (runtime.hpp).
inline unsigned __activemask(LOCKSTEP_HERE) { return lockstep::simt::emulator::gathered_lanes(site); }

inline void __threadfence() {
    lockstep::simt::emulator::scoped_fence(__ATOMIC_SEQ_CST, lockstep::simt::emulator::Scope::device);
}
inline void __threadfence_block() {
    lockstep::simt::emulator::scoped_fence(__ATOMIC_SEQ_CST, lockstep::simt::emulator::Scope::block);
}
inline void __threadfence_system() {
    lockstep::simt::emulator::scoped_fence(__ATOMIC_SEQ_CST, lockstep::simt::emulator::Scope::system);
}

inline void __nanosleep(unsigned) { lockstep::simt::emulator::yield_lane(true); }
[[noreturn]] inline void __trap(LOCKSTEP_HERE) { lockstep::simt::emulator::refuse("__trap was called", site); }
inline void __brkpt() {}
inline void __prof_trigger(int) {}
inline void __assume(bool) {}
inline bool __builtin_assume_true(bool condition) { return condition; }

// Nanoseconds of the host's clock. They grow, and mean nothing for a GPU.
inline long long clock64() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}
inline unsigned long long __globaltimer() { return static_cast<unsigned long long>(clock64()); }
// NOLINTEND(bugprone-reserved-identifier)
