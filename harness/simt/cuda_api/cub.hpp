#pragma once
// The parts of the library CUB that the emulator has: every header of CUB's is this one.

#include "harness/simt/cuda_api/cub_block.hpp"
#include "harness/simt/cuda_api/cub_block_sort.hpp"
#include "harness/simt/cuda_api/cub_device_reduce.hpp"
#include "harness/simt/cuda_api/cub_device_scan.hpp"
#include "harness/simt/cuda_api/cub_device_select.hpp"
#include "harness/simt/cuda_api/cub_device_sort.hpp"
#include "harness/simt/cuda_api/cub_items.hpp"
#include "harness/simt/cuda_api/cub_warp.hpp"
#include "harness/simt/cuda_api/cuda_runtime.hpp"
