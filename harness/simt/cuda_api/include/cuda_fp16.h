#pragma once
#include "harness/simt/cuda_api/cuda_fp16.hpp"
#include "harness/simt/cuda_api/cuda_runtime.hpp"
