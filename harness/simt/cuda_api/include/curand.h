#pragma once
#include "harness/simt/cuda_api/cuda_runtime.hpp"
#include "harness/simt/cuda_api/curand.hpp"
