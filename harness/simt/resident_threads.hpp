#pragma once
// Threads that a multiprocessor holds at a time, for the second argument of __launch_bounds__: the compiler refuses a
// minimum of blocks that does not fit.

namespace lockstep::simt {

// CUDA C++ Programming Guide, "Technical specifications per compute capability". Kernels need 8.0 (cmake/cuda.cmake).
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ != 800 && (__CUDA_ARCH__ < 900 || __CUDA_ARCH__ >= 1100)
inline constexpr unsigned resident_threads = 1536;
#else
inline constexpr unsigned resident_threads = 2048;
#endif

}  // namespace lockstep::simt
