#pragma once
// CUDA arrays: the memory that textures and surfaces read and write. An array is a box of elements with 1, 2 or 4
// components; only copies, textures and surfaces access it. Here the rows follow one another. Copies check the pointer
// at their other end as cudaMemcpy does, and the box against the array.

#include <memory>
#include <type_traits>

#include "harness/simt/cuda_api/memory.hpp"

enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned = 0,
    cudaChannelFormatKindUnsigned = 1,
    cudaChannelFormatKindFloat = 2,
    cudaChannelFormatKindNone = 3,
};
// The bits of each component. They are equal, or 0 from a component on.
struct cudaChannelFormatDesc {
    int x, y, z, w;
    cudaChannelFormatKind f;
};

inline constexpr unsigned cudaArrayDefault = 0;
inline constexpr unsigned cudaArrayLayered = 1;
inline constexpr unsigned cudaArraySurfaceLoadStore = 2;
inline constexpr unsigned cudaArrayCubemap = 4;
inline constexpr unsigned cudaArrayTextureGather = 8;

// Elements; bytes along x if no array takes part. A height or depth of 0 is that of an array with fewer dimensions.
struct cudaExtent {
    std::size_t width;
    std::size_t height;
    std::size_t depth;
};
inline cudaExtent make_cudaExtent(std::size_t width, std::size_t height, std::size_t depth) {
    return {width, height, depth};
}

struct cudaArray {
    cudaChannelFormatDesc format;
    cudaExtent extent;
    unsigned flags;
    std::size_t element_bytes;
    char* memory;  // null once the array is freed

    bool is_layered() const { return (flags & (cudaArrayLayered | cudaArrayCubemap)) != 0; }
    // A dimension that the array does not have counts as 1.
    std::size_t width() const { return extent.width; }
    std::size_t height() const { return extent.height == 0 ? 1 : extent.height; }
    std::size_t depth() const { return extent.depth == 0 ? 1 : extent.depth; }
    std::size_t row_bytes() const { return width() * element_bytes; }
    char* at(std::size_t byte, std::size_t y, std::size_t z) const {
        return memory + (z * height() + y) * row_bytes() + byte;
    }
};
using cudaArray_t = cudaArray*;
using cudaArray_const_t = cudaArray const*;

namespace lockstep::simt::cuda {

// The bytes of an element, or 0 if no array has the format.
std::size_t bytes_of(cudaChannelFormatDesc const& format);

// The array, or null if it does not exist. Objects that use an array share it, so that they know when it is freed.
std::shared_ptr<cudaArray const> find_array(cudaArray_const_t array);

template <class T>
struct Components {
    using type = T;
    static constexpr int count = 1;
};
template <class T>
requires requires(T v) { v.x; }
struct Components<T> {
    using type = decltype(T::x);
    static constexpr int count = sizeof(T) / sizeof(type);
};

// Elements of textures: float, integers of at most 32 bits, and vectors of 1, 2 or 4 of them.
template <class C>
inline constexpr bool is_component = std::is_same_v<C, float> || (std::is_integral_v<C> && sizeof(C) <= 4);
template <class T>
concept Texels = is_component<typename Components<T>::type> && Components<T>::count != 3;

template <class T>
constexpr cudaChannelFormatKind kind_of() {
    return std::is_same_v<T, float> ? cudaChannelFormatKindFloat
           : std::is_signed_v<T>    ? cudaChannelFormatKindSigned
                                    : cudaChannelFormatKindUnsigned;
}

}  // namespace lockstep::simt::cuda

inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
    return {x, y, z, w, kind};
}
// The format of elements of type T, or none for a type that is not one of elements.
template <class T>
cudaChannelFormatDesc cudaCreateChannelDesc() {
    return {0, 0, 0, 0, cudaChannelFormatKindNone};
}
template <lockstep::simt::cuda::Texels T>
cudaChannelFormatDesc cudaCreateChannelDesc() {
    using Parts = lockstep::simt::cuda::Components<T>;
    constexpr int bits = static_cast<int>(8 * sizeof(typename Parts::type));
    constexpr int n = Parts::count;
    return {bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0,
            lockstep::simt::cuda::kind_of<typename Parts::type>()};
}

inline cudaChannelFormatDesc cudaCreateChannelDescHalf() { return {16, 0, 0, 0, cudaChannelFormatKindFloat}; }
inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() { return cudaCreateChannelDescHalf(); }
inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() { return {16, 16, 0, 0, cudaChannelFormatKindFloat}; }
inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() { return {16, 16, 16, 16, cudaChannelFormatKindFloat}; }

cudaError_t cudaMallocArray(cudaArray_t* array, cudaChannelFormatDesc const* format, std::size_t width,
                            std::size_t height = 0, unsigned flags = 0);
cudaError_t cudaMalloc3DArray(cudaArray_t* array, cudaChannelFormatDesc const* format, cudaExtent extent,
                              unsigned flags = 0);
cudaError_t cudaFreeArray(cudaArray_t array);
// Any of the three pointers may be null.
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags, cudaArray_t array);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array);

// Copies of `bytes` bytes, row after row, from the byte x of the row y on.
cudaError_t cudaMemcpyToArray(cudaArray_t target, std::size_t x, std::size_t y, void const* source, std::size_t bytes,
                              cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArray(void* target, cudaArray_const_t source, std::size_t x, std::size_t y, std::size_t bytes,
                                cudaMemcpyKind kind);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t target, std::size_t x, std::size_t y, void const* source,
                                   std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpyFromArrayAsync(void* target, cudaArray_const_t source, std::size_t x, std::size_t y,
                                     std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream = nullptr);
// Copies of rectangles: x and `width` are in bytes, and those of whole elements.
cudaError_t cudaMemcpy2DToArray(cudaArray_t target, std::size_t x, std::size_t y, void const* source, std::size_t pitch,
                                std::size_t width, std::size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArray(void* target, std::size_t pitch, cudaArray_const_t source, std::size_t x,
                                  std::size_t y, std::size_t width, std::size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t target, std::size_t x, std::size_t y, void const* source,
                                     std::size_t pitch, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy2DFromArrayAsync(void* target, std::size_t pitch, cudaArray_const_t source, std::size_t x,
                                       std::size_t y, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t target, std::size_t target_x, std::size_t target_y,
                                     cudaArray_const_t source, std::size_t source_x, std::size_t source_y,
                                     std::size_t width, std::size_t height,
                                     cudaMemcpyKind kind = cudaMemcpyDeviceToDevice);
