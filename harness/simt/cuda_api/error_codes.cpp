#include "harness/simt/cuda_api/error_codes.hpp"

#include <array>
#include <cstdio>
#include <utility>

#include "harness/simt/cuda_api/tell_error.hpp"

namespace lockstep::simt::cuda {
namespace {

thread_local cudaError_t last_error = cudaSuccess;
// No std::string: calls in destructors of global objects come after those of a thread's variables.
thread_local std::array<char, 160> reason_of_error{};

}  // namespace

cudaError_t report(cudaError_t error) { return report(error, ""); }

cudaError_t report(cudaError_t error, char const* reason) {
    if (error != cudaSuccess) {
        last_error = error;
        std::snprintf(reason_of_error.data(), reason_of_error.size(), "%s", reason);
    }
    return error;
}

cudaError_t error_of_synchronization() {
    forget_unnoticed_by_synchronization();
    return last_error;
}

char const* last_reason() { return reason_of_error.data(); }

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

cudaError_t cudaGetLastError() {
    lockstep::simt::cuda::forget_unnoticed();
    return std::exchange(lockstep::simt::cuda::last_error, cudaSuccess);
}
cudaError_t cudaPeekAtLastError() {
    lockstep::simt::cuda::forget_unnoticed();
    return lockstep::simt::cuda::last_error;
}
