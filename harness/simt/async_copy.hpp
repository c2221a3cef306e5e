#pragma once
// Copies from global to shared memory that go on while the thread computes (cp.async), 16 bytes at a time. A thread
// waits for its own copies; other threads see them after a barrier that follows.
//
//   copy_async(slots, thread_rank(), from);   // slots: SharedWords<T>, T of 16 bytes, from: aligned to 16 bytes
//   end_copies();                             // the copies since the last call are one group
//   wait_for_copies<1>();                     // all groups but the last one are done
//
// On the emulator a copy is done at once, which is one of the orders that CUDA allows.

#include "harness/simt/shared_words.hpp"

#if defined(__CUDACC__)

namespace lockstep::simt::cuda {

template <class T>
__device__ __forceinline__ void copy_async(SharedWords<T> const& to, unsigned index, T const* from) {
    static_assert(sizeof(T) == 16 && alignof(T) == 16);
    auto const address = static_cast<unsigned>(__cvta_generic_to_shared(to + index));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from) : "memory");
}
__device__ __forceinline__ void end_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int pending>
__device__ __forceinline__ void wait_for_copies() {
    asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

}  // namespace lockstep::simt::cuda

#elif defined(LOCKSTEP_EMULATOR)

namespace lockstep::simt::emulator {

template <class T>
void copy_async(SharedWords<T> const& to, unsigned index, T const* from) {
    static_assert(sizeof(T) == 16 && alignof(T) == 16);
    to[index] = *from;
}
inline void end_copies() {}
template <int pending>
void wait_for_copies() {}

}  // namespace lockstep::simt::emulator

#endif
