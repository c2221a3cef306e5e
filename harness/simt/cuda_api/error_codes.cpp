#include "harness/simt/cuda_api/error_codes.hpp"

#include <utility>

namespace lockstep::simt::cuda {
namespace {

thread_local cudaError_t last_error = cudaSuccess;

}  // namespace

cudaError_t report(cudaError_t error) {
    if (error != cudaSuccess) {
        last_error = error;
    }
    return error;
}

}  // namespace lockstep::simt::cuda

char const* cudaGetErrorName(cudaError_t error) {
#define LOCKSTEP_CASE(name, number, text) \
    case name:                            \
        return #name;
    switch (error) { LOCKSTEP_CUDA_ERRORS(LOCKSTEP_CASE) }
#undef LOCKSTEP_CASE
    return "unrecognized error code";
}

char const* cudaGetErrorString(cudaError_t error) {
#define LOCKSTEP_CASE(name, number, text) \
    case name:                            \
        return text;
    switch (error) { LOCKSTEP_CUDA_ERRORS(LOCKSTEP_CASE) }
#undef LOCKSTEP_CASE
    return "unrecognized error code";
}

cudaError_t cudaGetLastError() { return std::exchange(lockstep::simt::cuda::last_error, cudaSuccess); }
cudaError_t cudaPeekAtLastError() { return lockstep::simt::cuda::last_error; }
