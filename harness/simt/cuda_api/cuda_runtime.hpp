#pragma once
// CUDA C++ and the CUDA runtime for a foreign program that the host compiler compiles for the emulator. The translator
// includes it before the program's first line, as nvcc includes cuda_runtime.h.

// Counters are compared with a GPU's, so their kernels are optimised as far as nvcc does it: short loops are unrolled,
// and a value is loaded once. Left out is what moves blocks to where lanes do not meet again.
#if defined(LOCKSTEP_WHOLE_VECTORS) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "no-crossjumping", "no-ipa-cp-clone", "no-peel-loops", "no-reorder-blocks")
#pragma GCC optimize("no-reorder-blocks-and-partition", "no-split-loops", "no-split-paths", "no-thread-jumps")
#pragma GCC optimize("no-tree-tail-merge", "no-tree-vectorize", "no-unswitch-loops")
#endif

// What cuda_runtime.h of a toolkit includes of the standard library.
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "harness/simt/cuda_api/qualifiers.hpp"
//
#include "harness/simt/cuda_api/atomics.hpp"
#include "harness/simt/cuda_api/barriers.hpp"
#include "harness/simt/cuda_api/cached_loads.hpp"
#include "harness/simt/cuda_api/conversions.hpp"
#include "harness/simt/cuda_api/devices.hpp"
#include "harness/simt/cuda_api/dot_products.hpp"
#include "harness/simt/cuda_api/error_codes.hpp"
#include "harness/simt/cuda_api/fast_math.hpp"
#include "harness/simt/cuda_api/integer_intrinsics.hpp"
#include "harness/simt/cuda_api/launches.hpp"
#include "harness/simt/cuda_api/math_functions.hpp"
#include "harness/simt/cuda_api/memory.hpp"
#include "harness/simt/cuda_api/min_max.hpp"
#include "harness/simt/cuda_api/pitched_memory.hpp"
#include "harness/simt/cuda_api/rounded_arithmetic.hpp"
#include "harness/simt/cuda_api/streams.hpp"
#include "harness/simt/cuda_api/symbols.hpp"
#include "harness/simt/cuda_api/vector_types.hpp"
#include "harness/simt/cuda_api/warp.hpp"
#include "harness/simt/cuda_api/warp_without_sync.hpp"
#include "harness/simt/emulator/shared_variables.hpp"
