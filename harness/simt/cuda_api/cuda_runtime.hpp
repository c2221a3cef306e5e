#pragma once
// CUDA C++ and the CUDA runtime for a foreign program that the host compiler compiles for the emulator. The translator
// includes it before the program's first line, as nvcc includes cuda_runtime.h.

#if defined(LOCKSTEP_WHOLE_VECTORS)
#include "harness/simt/hooks/counted_kernels.hpp"
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
#include "harness/simt/cuda_api/arrays.hpp"
#include "harness/simt/cuda_api/atomics.hpp"
#include "harness/simt/cuda_api/barriers.hpp"
#include "harness/simt/cuda_api/cached_loads.hpp"
#include "harness/simt/cuda_api/conversions.hpp"
#include "harness/simt/cuda_api/devices.hpp"
#include "harness/simt/cuda_api/discarded.hpp"
#include "harness/simt/cuda_api/dot_products.hpp"
#include "harness/simt/cuda_api/error_codes.hpp"
#include "harness/simt/cuda_api/fast_math.hpp"
#include "harness/simt/cuda_api/graphs.hpp"
#include "harness/simt/cuda_api/integer_intrinsics.hpp"
#include "harness/simt/cuda_api/kernel_entries.hpp"
#include "harness/simt/cuda_api/launches.hpp"
#include "harness/simt/cuda_api/math_functions.hpp"
#include "harness/simt/cuda_api/memory.hpp"
#include "harness/simt/cuda_api/min_max.hpp"
#include "harness/simt/cuda_api/nv_atomics.hpp"
#include "harness/simt/cuda_api/pitched_memory.hpp"
#include "harness/simt/cuda_api/rounded_arithmetic.hpp"
#include "harness/simt/cuda_api/stream_capture.hpp"
#include "harness/simt/cuda_api/streams.hpp"
#include "harness/simt/cuda_api/surfaces.hpp"
#include "harness/simt/cuda_api/symbols.hpp"
#include "harness/simt/cuda_api/textures.hpp"
#include "harness/simt/cuda_api/vector_types.hpp"
#include "harness/simt/cuda_api/warp.hpp"
#include "harness/simt/cuda_api/warp_without_sync.hpp"
#include "harness/simt/emulator/shared_variables.hpp"
