#pragma once
#include "harness/simt/cuda_api/thrust.hpp"
