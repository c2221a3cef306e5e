#pragma once
// Launches kernels on the machine for which this file is compiled: launch, attributes, synchronize, machine.

#include "harness/simt/kernel.hpp"
#if defined(__CUDACC__)
#include "harness/simt/cuda/launch.hpp"
#elif defined(LOCKSTEP_EMULATOR)
#include "harness/simt/emulator/launch.hpp"
#else
#error "harness/simt/launch.hpp is for kernel files (.cu), which are compiled for the emulator and for CUDA"
#endif
