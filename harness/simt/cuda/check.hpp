#pragma once
// Converts CUDA errors to exceptions that name the call, the file and the line.

#include <cuda_runtime_api.h>

#include <source_location>
#include <string>

#include "harness/simt/error.hpp"

namespace lockstep::simt::cuda {

// Throws simt::Error unless `status` is success: check(cudaMalloc(...), "cudaMalloc").
inline void check(cudaError_t status, std::string const& call,
                  std::source_location site = std::source_location::current()) {
    if (status == cudaSuccess) {
        return;
    }
    throw Error(call + " failed: " + cudaGetErrorName(status) + " (" + cudaGetErrorString(status) + ") at " +
                site.file_name() + ":" + std::to_string(site.line()));
}

}  // namespace lockstep::simt::cuda
