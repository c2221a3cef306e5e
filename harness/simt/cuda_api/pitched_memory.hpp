#pragma once
// Rows and planes of device memory: allocations with a pitch, copies and fills of rectangles and boxes.

#include "harness/simt/cuda_api/arrays.hpp"
#include "harness/simt/cuda_api/memory.hpp"

struct cudaPitchedPtr {
    void* ptr;
    std::size_t pitch;
    std::size_t xsize;
    std::size_t ysize;
};
struct cudaPos {
    std::size_t x, y, z;  // x: elements of an array, bytes of other memory
};
// Each end of the copy is an array or a pointer, and the other one is null.
struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    cudaMemcpyKind kind;
};
inline cudaPitchedPtr make_cudaPitchedPtr(void* pointer, std::size_t pitch, std::size_t x_size, std::size_t y_size) {
    return {pointer, pitch, x_size, y_size};
}
inline cudaPos make_cudaPos(std::size_t x, std::size_t y, std::size_t z) { return {x, y, z}; }

namespace lockstep::simt::cuda {

bool is_empty(cudaExtent const& extent);
// Whether each end of the copy is either an array or a pointer. An empty copy needs none.
bool has_ends(cudaMemcpy3DParms const& copy);

// The bytes between the starts of two rows, for rows of `bytes` bytes.
inline std::size_t pitch_of(std::size_t bytes) { return (bytes + 511) / 512 * 512; }

}  // namespace lockstep::simt::cuda

template <class T>
cudaError_t cudaMallocPitch(T** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
    *pitch = lockstep::simt::cuda::pitch_of(width);
    return cudaMalloc(pointer, *pitch * height);
}
cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent);
cudaError_t cudaMemcpy2D(void* target, std::size_t target_pitch, void const* source, std::size_t source_pitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void* target, std::size_t target_pitch, void const* source, std::size_t source_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream = nullptr);
cudaError_t cudaMemset2D(void* target, std::size_t pitch, int value, std::size_t width, std::size_t height);
cudaError_t cudaMemset2DAsync(void* target, std::size_t pitch, int value, std::size_t width, std::size_t height,
                              cudaStream_t stream = nullptr);
cudaError_t cudaMemset3D(cudaPitchedPtr target, int value, cudaExtent extent);
cudaError_t cudaMemset3DAsync(cudaPitchedPtr target, int value, cudaExtent extent, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy3D(cudaMemcpy3DParms const* parameters);
cudaError_t cudaMemcpy3DAsync(cudaMemcpy3DParms const* parameters, cudaStream_t stream = nullptr);
