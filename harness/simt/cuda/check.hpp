#pragma once
// Converts CUDA errors to exceptions that name the call, the file and the line.

#include <cuda_runtime_api.h>

#include <source_location>
#include <string>
#include <string_view>

#include "harness/simt/error.hpp"

namespace lockstep::simt::cuda {

// The name and the description of an error: "cudaErrorNoDevice (no CUDA-capable device is detected)".
inline std::string error_text(cudaError_t status) {
    return std::string(cudaGetErrorName(status)) + " (" + cudaGetErrorString(status) + ")";
}

// Throws simt::Error unless `status` is success: check(cudaMalloc(...), "cudaMalloc").
inline void check(cudaError_t status, std::string_view call,
                  std::source_location site = std::source_location::current()) {
    if (status == cudaSuccess) {
        return;
    }
    static_cast<void>(cudaGetLastError());  // the exception reports it, so the next launch must not
    throw Error(std::string(call) + " failed: " + error_text(status) + " at " + site.file_name() + ":" +
                std::to_string(site.line()));
}

}  // namespace lockstep::simt::cuda
