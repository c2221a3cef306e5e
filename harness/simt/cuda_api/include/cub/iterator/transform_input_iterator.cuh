#pragma once
#include "harness/simt/cuda_api/cub.hpp"
