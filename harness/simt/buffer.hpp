#pragma once
// Buffer<T>: device memory of the machine for which this file is compiled.

#include "harness/simt/kernel.hpp"
#if defined(__CUDACC__)
#include "harness/simt/cuda/buffer.hpp"
#elif defined(LOCKSTEP_EMULATOR)
#include "harness/simt/emulator/buffer.hpp"
#else
#error "harness/simt/buffer.hpp is for kernel files (.cu), which are compiled for the emulator and for CUDA"
#endif
