#include "harness/simt/cuda_api/surfaces.hpp"

#include <algorithm>
#include <cstring>

#include "harness/simt/cuda_api/object_handles.hpp"

namespace lockstep::simt::cuda {
namespace {

Handles<cudaArray_t>& surfaces() {
    static auto& made = *new Handles<cudaArray_t>;
    return made;
}

}  // namespace

void* surface_element(cudaSurfaceObject_t surface, Position position, std::size_t bytes, cudaSurfaceBoundaryMode mode,
                      Site const& site) {
    cudaArray_t const* const found = surfaces().find(surface);
    if (found == nullptr) {
        emulator::refuse("an access to a surface object that does not exist", site);
    }
    cudaArray const& array = **found;
    if (bytes > array.row_bytes() || position.x_bytes % static_cast<int>(bytes) != 0) {
        emulator::refuse("a misaligned access to a surface (x is in bytes, and a multiple of the element's size)",
                         site);
    }
    // In each dimension, the last position at which such an element begins.
    std::int64_t const last[3] = {static_cast<std::int64_t>(array.row_bytes() - bytes),
                                  static_cast<std::int64_t>(array.height()) - 1,
                                  static_cast<std::int64_t>(array.depth()) - 1};
    std::int64_t const wanted[3] = {position.x_bytes, position.y, position.z};
    std::size_t at[3];
    for (int d = 0; d < 3; ++d) {
        std::int64_t const clamped = std::clamp<std::int64_t>(wanted[d], 0, last[d]);
        if (clamped != wanted[d] && mode == cudaBoundaryModeZero) {
            return nullptr;
        }
        if (clamped != wanted[d] && mode == cudaBoundaryModeTrap) {
            emulator::refuse("an access outside a surface (cudaBoundaryModeTrap)", site);
        }
        at[d] = static_cast<std::size_t>(clamped);
    }
    return array.at(at[0], at[1], at[2]);
}

void copy_unchecked(void* target, void const* source, std::size_t bytes) { std::memcpy(target, source, bytes); }

}  // namespace lockstep::simt::cuda

using lockstep::simt::cuda::report;

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface, cudaResourceDesc const* resource) {
    if (surface == nullptr || resource == nullptr || resource->resType != cudaResourceTypeArray) {
        return report(cudaErrorInvalidValue);
    }
    unsigned flags = 0;
    cudaArray_t const array = resource->res.array.array;
    if (cudaError_t const error = cudaArrayGetInfo(nullptr, nullptr, &flags, array); error != cudaSuccess) {
        return error;
    }
    if ((flags & cudaArraySurfaceLoadStore) == 0) {
        return report(cudaErrorInvalidValue);
    }
    *surface = lockstep::simt::cuda::surfaces().add(array);
    return report(*surface == 0 ? cudaErrorMemoryAllocation : cudaSuccess);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
    return report(surface == 0 || lockstep::simt::cuda::surfaces().remove(surface) ? cudaSuccess
                                                                                   : cudaErrorInvalidValue);
}
