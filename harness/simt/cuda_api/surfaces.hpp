#pragma once
// Surface objects: kernels read and write the elements of an array that was made with cudaArraySurfaceLoadStore. The
// coordinate x is in bytes. For the checks of accesses and for the counters, an access to a surface is not a memory
// access, so races between them are not found.

#include "harness/simt/cuda_api/textures.hpp"

using cudaSurfaceObject_t = unsigned long long;

enum cudaSurfaceBoundaryMode {
    cudaBoundaryModeZero = 0,   // reads give 0, writes do nothing
    cudaBoundaryModeClamp = 1,  // the nearest element
    cudaBoundaryModeTrap = 2,   // an error
};

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface, cudaResourceDesc const* resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface);
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t surface);

namespace lockstep::simt::cuda {

struct Position {
    int dimensions;
    bool is_layered;
    int x_bytes;
    int y;
    int z;  // or the layer
};

// What surfaces hold: elements of textures, and integers of 64 bits.
template <class T>
inline constexpr bool is_64_bit_element = std::is_integral_v<typename Components<T>::type> &&
                                          sizeof(typename Components<T>::type) == 8 && Components<T>::count <= 2;
template <class T>
concept SurfaceElement = Texels<T> || is_64_bit_element<T>;

// The memory of the `bytes` bytes at the position, or null outside with cudaBoundaryModeZero.
void* surface_element(cudaSurfaceObject_t surface, Position position, std::size_t bytes, cudaSurfaceBoundaryMode mode,
                      Site const& site);

// memcpy in our own code is no access of the kernel.
void copy_unchecked(void* target, void const* source, std::size_t bytes);

template <class T>
T read_surface(cudaSurfaceObject_t surface, Position position, cudaSurfaceBoundaryMode mode, Site const& site) {
    T value{};
    if (void const* const from = surface_element(surface, position, sizeof(T), mode, site); from != nullptr) {
        copy_unchecked(&value, from, sizeof(T));
    }
    return value;
}
template <class T>
void write_surface(T const& value, cudaSurfaceObject_t surface, Position position, cudaSurfaceBoundaryMode mode,
                   Site const& site) {
    if (void* const to = surface_element(surface, position, sizeof(T), mode, site); to != nullptr) {
        copy_unchecked(to, &value, sizeof(T));
    }
}

}  // namespace lockstep::simt::cuda

// surfND(...): parameters are the coordinates after the surface; position: what they are in the array.
#define LOCKSTEP_UNPACK(...) __VA_ARGS__
#define LOCKSTEP_SURFACE(dimensions, parameters, arguments, ...)                                       \
    template <lockstep::simt::cuda::SurfaceElement T>                                                  \
    T surf##dimensions##read(cudaSurfaceObject_t surface, LOCKSTEP_UNPACK parameters,                  \
                             cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, LOCKSTEP_HERE) {     \
        return lockstep::simt::cuda::read_surface<T>(surface, __VA_ARGS__, mode, site);                \
    }                                                                                                  \
    template <lockstep::simt::cuda::SurfaceElement T>                                                  \
    void surf##dimensions##read(T* result, cudaSurfaceObject_t surface, LOCKSTEP_UNPACK parameters,    \
                                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, LOCKSTEP_HERE) {  \
        *result = surf##dimensions##read<T>(surface, LOCKSTEP_UNPACK arguments, mode, site);           \
    }                                                                                                  \
    template <lockstep::simt::cuda::SurfaceElement T>                                                  \
    void surf##dimensions##write(T value, cudaSurfaceObject_t surface, LOCKSTEP_UNPACK parameters,     \
                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, LOCKSTEP_HERE) { \
        lockstep::simt::cuda::write_surface(value, surface, __VA_ARGS__, mode, site);                  \
    }

LOCKSTEP_SURFACE(1D, (int x), (x), {1, false, x, 0, 0})
LOCKSTEP_SURFACE(2D, (int x, int y), (x, y), {2, false, x, y, 0})
LOCKSTEP_SURFACE(3D, (int x, int y, int z), (x, y, z), {3, false, x, y, z})
LOCKSTEP_SURFACE(1DLayered, (int x, int layer), (x, layer), {1, true, x, 0, layer})
LOCKSTEP_SURFACE(2DLayered, (int x, int y, int layer), (x, y, layer), {2, true, x, y, layer})
#undef LOCKSTEP_SURFACE
#undef LOCKSTEP_UNPACK
