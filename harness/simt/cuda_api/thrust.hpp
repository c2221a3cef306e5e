#pragma once
// The parts of the library Thrust that the emulator has: every header of Thrust's is this one.

#include "harness/simt/cuda_api/cuda_runtime.hpp"
#include "harness/simt/cuda_api/thrust_reordering.hpp"
#include "harness/simt/cuda_api/thrust_vectors.hpp"

// That of CUDA 12.8.
#define THRUST_VERSION 200700
#define THRUST_MAJOR_VERSION 2
#define THRUST_MINOR_VERSION 7
#define THRUST_SUBMINOR_VERSION 0
