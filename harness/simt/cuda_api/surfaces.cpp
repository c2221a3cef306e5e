#include "harness/simt/cuda_api/surfaces.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "harness/simt/cuda_api/object_handles.hpp"

namespace lockstep::simt::cuda {
namespace {

using Surface = std::shared_ptr<cudaArray const>;

// Never destroyed: destructors of a program's global objects destroy surfaces.
Handles<Surface, 2>& surfaces() {
    static auto& made = *new Handles<Surface, 2>;
    return made;
}

int dimensions_of(cudaArray const& array) {
    return array.extent.height == 0 ? 1 : array.extent.depth == 0 || array.is_layered() ? 2 : 3;
}

}  // namespace

void* surface_element(cudaSurfaceObject_t surface, Position position, std::size_t bytes, cudaSurfaceBoundaryMode mode,
                      Site const& site) {
    Surface const* const found = surfaces().find(surface);
    if (found == nullptr) {
        emulator::refuse("an access to a surface object that does not exist", site);
    }
    cudaArray const& array = **found;
    if (array.memory == nullptr) {
        emulator::refuse("an access to a surface whose array was freed", site);
    }
    if (dimensions_of(array) != position.dimensions || array.is_layered() != position.is_layered) {
        emulator::refuse("an access for a surface of another kind (the dimensions or layers differ)", site);
    }
    if (bytes > array.row_bytes()) {
        emulator::refuse("an access outside a surface (its rows are shorter than the type)", site);
    }
    if (position.x_bytes % static_cast<int>(bytes) != 0) {
        emulator::refuse("a misaligned access to a surface (x is in bytes, and a multiple of the type's size)", site);
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
    auto array = lockstep::simt::cuda::find_array(resource->res.array.array);
    if (array == nullptr) {
        return report(cudaErrorInvalidResourceHandle);
    }
    if ((array->flags & cudaArraySurfaceLoadStore) == 0) {
        return report(cudaErrorInvalidValue);
    }
    *surface = lockstep::simt::cuda::surfaces().add(std::move(array));
    return report(*surface == 0 ? cudaErrorMemoryAllocation : cudaSuccess);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
    return report(surface == 0 || lockstep::simt::cuda::surfaces().remove(surface) ? cudaSuccess
                                                                                   : cudaErrorInvalidValue);
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t surface) {
    auto const* const array = lockstep::simt::cuda::surfaces().find(surface);
    if (array == nullptr) {
        return report(cudaErrorInvalidValue);
    }
    *resource = {};
    resource->resType = cudaResourceTypeArray;
    resource->res.array.array = const_cast<cudaArray_t>(array->get());
    return cudaSuccess;
}
