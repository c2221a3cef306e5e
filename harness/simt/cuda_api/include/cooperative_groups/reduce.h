#pragma once
#include "harness/simt/cuda_api/cooperative_groups_collectives.hpp"
#include "harness/simt/cuda_api/cuda_runtime.hpp"
