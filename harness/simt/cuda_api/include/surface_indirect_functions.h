#pragma once
#include "harness/simt/cuda_api/cuda_runtime.hpp"
