#pragma once
// Texture objects over arrays, linear memory and pitched memory, and the functions with which kernels fetch from them.
// Fetching follows "Texture Fetching" of the CUDA C++ Programming Guide: nearest-point sampling and linear filtering,
// all address modes, normalized coordinates, and reads of 8 and 16 bits as normalized floats. Weights of linear
// filtering have 8 bits of fraction, as on a GPU. A GPU may round coordinates and products differently, so the last
// bits of a filtered value can differ.
//
// Not supported: mipmaps, gradients, gathers, layered cubemaps, resource views, sRGB, and filtering across the faces of
// a cube. For the checks of accesses and for the counters, a fetch is not a memory access. A fetch from an array or
// other memory that was freed is an error.

#include <bit>
#include <cstdint>

#include "harness/simt/cuda_api/arrays.hpp"
#include "harness/simt/cuda_api/site.hpp"
#include "harness/simt/cuda_api/vector_types.hpp"

enum cudaTextureAddressMode {
    cudaAddressModeWrap = 0,
    cudaAddressModeClamp = 1,
    cudaAddressModeMirror = 2,
    cudaAddressModeBorder = 3,
};
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
enum cudaResourceType {
    cudaResourceTypeArray = 0,
    cudaResourceTypeMipmappedArray = 1,
    cudaResourceTypeLinear = 2,
    cudaResourceTypePitch2D = 3,
};

using cudaMipmappedArray_t = struct cudaMipmappedArray*;

struct cudaResourceDesc {
    cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            cudaMipmappedArray_t mipmap;
        } mipmap;
        struct {
            void* devPtr;
            cudaChannelFormatDesc desc;
            std::size_t sizeInBytes;
        } linear;
        struct {
            void* devPtr;
            cudaChannelFormatDesc desc;
            std::size_t width;   // elements
            std::size_t height;  // rows
            std::size_t pitchInBytes;
        } pitch2D;
    } res;
};

struct cudaTextureDesc {
    cudaTextureAddressMode addressMode[3];
    cudaTextureFilterMode filterMode;
    cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned maxAnisotropy;
    cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias;
    float minMipmapLevelClamp;
    float maxMipmapLevelClamp;
    int disableTrilinearOptimization;
    int seamlessCubemap;
};

enum cudaResourceViewFormat { cudaResViewFormatNone = 0 };
struct cudaResourceViewDesc {
    cudaResourceViewFormat format;
    std::size_t width;
    std::size_t height;
    std::size_t depth;
    unsigned firstMipmapLevel;
    unsigned lastMipmapLevel;
    unsigned firstLayer;
    unsigned lastLayer;
};

using cudaTextureObject_t = unsigned long long;

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, cudaResourceDesc const* resource,
                                    cudaTextureDesc const* description, cudaResourceViewDesc const* view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture);
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t texture);
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description, cudaTextureObject_t texture);

namespace lockstep::simt::cuda {

// The components of a fetched element, as a GPU's registers get them: integers extended to 32 bits, or the bits of a
// float. Components that the element does not have are 0.
struct Texel {
    std::uint32_t component[4] = {};
};

// A texture of `dimensions` dimensions, sampled at the coordinates. `layer`: of a layered texture.
Texel fetch(cudaTextureObject_t texture, int dimensions, float const* coordinates, Site const& site);
Texel fetch_layered(cudaTextureObject_t texture, int dimensions, float const* coordinates, int layer, Site const& site);
Texel fetch_cubemap(cudaTextureObject_t texture, float x, float y, float z, Site const& site);
// The element of linear memory with this index. It is 0 past the end.
Texel fetch_linear(cudaTextureObject_t texture, int index, Site const& site);

template <class C>
C component_of(std::uint32_t bits) {
    if constexpr (std::is_same_v<C, float>) {
        return std::bit_cast<float>(bits);
    } else {
        return static_cast<C>(bits);
    }
}

template <Texels T>
T value_of(Texel const& texel) {
    using Parts = Components<T>;
    using C = typename Parts::type;
    if constexpr (!requires(T v) { v.x; }) {
        return component_of<C>(texel.component[0]);
    } else {
        T value{};
        value.x = component_of<C>(texel.component[0]);
        if constexpr (Parts::count > 1) {
            value.y = component_of<C>(texel.component[1]);
        }
        if constexpr (Parts::count > 2) {
            value.z = component_of<C>(texel.component[2]);
        }
        if constexpr (Parts::count > 3) {
            value.w = component_of<C>(texel.component[3]);
        }
        return value;
    }
}

template <class T, class... C>
T sample(cudaTextureObject_t texture, Site const& site, C... coordinates) {
    float const at[] = {coordinates...};
    return value_of<T>(fetch(texture, sizeof...(C), at, site));
}
template <class T, class... C>
T sample_layer(cudaTextureObject_t texture, int layer, Site const& site, C... coordinates) {
    float const at[] = {coordinates...};
    return value_of<T>(fetch_layered(texture, sizeof...(C), at, layer, site));
}

}  // namespace lockstep::simt::cuda

template <class T>
T tex1Dfetch(cudaTextureObject_t texture, int index, LOCKSTEP_HERE) {
    return lockstep::simt::cuda::value_of<T>(lockstep::simt::cuda::fetch_linear(texture, index, site));
}
template <class T>
T tex1D(cudaTextureObject_t texture, float x, LOCKSTEP_HERE) {
    return lockstep::simt::cuda::sample<T>(texture, site, x);
}
template <class T>
T tex2D(cudaTextureObject_t texture, float x, float y, LOCKSTEP_HERE) {
    return lockstep::simt::cuda::sample<T>(texture, site, x, y);
}
template <class T>
T tex3D(cudaTextureObject_t texture, float x, float y, float z, LOCKSTEP_HERE) {
    return lockstep::simt::cuda::sample<T>(texture, site, x, y, z);
}
template <class T>
T tex1DLayered(cudaTextureObject_t texture, float x, int layer, LOCKSTEP_HERE) {
    return lockstep::simt::cuda::sample_layer<T>(texture, layer, site, x);
}
template <class T>
T tex2DLayered(cudaTextureObject_t texture, float x, float y, int layer, LOCKSTEP_HERE) {
    return lockstep::simt::cuda::sample_layer<T>(texture, layer, site, x, y);
}
template <class T>
T texCubemap(cudaTextureObject_t texture, float x, float y, float z, LOCKSTEP_HERE) {
    return lockstep::simt::cuda::value_of<T>(lockstep::simt::cuda::fetch_cubemap(texture, x, y, z, site));
}

// The forms that store the result.
template <class T>
void tex1Dfetch(T* result, cudaTextureObject_t texture, int index, LOCKSTEP_HERE) {
    *result = tex1Dfetch<T>(texture, index, site);
}
template <class T>
void tex1D(T* result, cudaTextureObject_t texture, float x, LOCKSTEP_HERE) {
    *result = tex1D<T>(texture, x, site);
}
template <class T>
void tex2D(T* result, cudaTextureObject_t texture, float x, float y, LOCKSTEP_HERE) {
    *result = tex2D<T>(texture, x, y, site);
}
template <class T>
void tex3D(T* result, cudaTextureObject_t texture, float x, float y, float z, LOCKSTEP_HERE) {
    *result = tex3D<T>(texture, x, y, z, site);
}
template <class T>
void tex1DLayered(T* result, cudaTextureObject_t texture, float x, int layer, LOCKSTEP_HERE) {
    *result = tex1DLayered<T>(texture, x, layer, site);
}
template <class T>
void tex2DLayered(T* result, cudaTextureObject_t texture, float x, float y, int layer, LOCKSTEP_HERE) {
    *result = tex2DLayered<T>(texture, x, y, layer, site);
}
template <class T>
void texCubemap(T* result, cudaTextureObject_t texture, float x, float y, float z, LOCKSTEP_HERE) {
    *result = texCubemap<T>(texture, x, y, z, site);
}
