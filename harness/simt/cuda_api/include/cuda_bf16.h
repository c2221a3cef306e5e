#pragma once
#include "harness/simt/cuda_api/cuda_bf16.hpp"
#include "harness/simt/cuda_api/cuda_runtime.hpp"
