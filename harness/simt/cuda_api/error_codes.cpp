#include "harness/simt/cuda_api/error_codes.hpp"

#include <mutex>
#include <utility>

#include "harness/simt/cuda_api/tell_error.hpp"

namespace lockstep::simt::cuda {
namespace {

thread_local cudaError_t last_error = cudaSuccess;

std::mutex refused_mutex;
RefusedLaunch refused;

}  // namespace

void remember_refused(RefusedLaunch launch) {
    std::lock_guard const lock(refused_mutex);
    refused = std::move(launch);
}

RefusedLaunch unread_refused() {
    std::lock_guard const lock(refused_mutex);
    return refused;
}

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

cudaError_t cudaGetLastError() {
    lockstep::simt::cuda::remember_refused({});
    return std::exchange(lockstep::simt::cuda::last_error, cudaSuccess);
}
cudaError_t cudaPeekAtLastError() {
    lockstep::simt::cuda::remember_refused({});
    return lockstep::simt::cuda::last_error;
}
