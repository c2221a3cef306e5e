#pragma once
// Work and copies that overlap: streams of one's own, host memory that a copy engine reaches, copies in a stream.

#include "harness/simt/kernel.hpp"
#if defined(__CUDACC__)
#include "harness/simt/cuda/streaming.hpp"
#elif defined(LOCKSTEP_EMULATOR)
#include "harness/simt/emulator/streaming.hpp"
#else
#error "harness/simt/streaming.hpp is for kernel files (.cu), which are compiled for the emulator and for CUDA"
#endif
