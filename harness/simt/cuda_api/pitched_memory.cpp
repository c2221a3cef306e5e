#include "harness/simt/cuda_api/pitched_memory.hpp"

using lockstep::simt::cuda::report;

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
    pointer->xsize = extent.width;
    pointer->ysize = extent.height;
    return cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width, extent.height * extent.depth);
}

cudaError_t cudaMemcpy2D(void* target, std::size_t target_pitch, void const* source, std::size_t source_pitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    if (width > target_pitch || width > source_pitch) {
        return report(cudaErrorInvalidPitchValue);
    }
    for (std::size_t row = 0; row < height; ++row) {
        cudaError_t const error = cudaMemcpy(static_cast<char*>(target) + row * target_pitch,
                                             static_cast<char const*>(source) + row * source_pitch, width, kind);
        if (error != cudaSuccess) {
            return error;
        }
    }
    return cudaSuccess;
}
cudaError_t cudaMemcpy2DAsync(void* target, std::size_t target_pitch, void const* source, std::size_t source_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t) {
    return cudaMemcpy2D(target, target_pitch, source, source_pitch, width, height, kind);
}

cudaError_t cudaMemset2D(void* target, std::size_t pitch, int value, std::size_t width, std::size_t height) {
    if (width > pitch) {
        return report(cudaErrorInvalidPitchValue);
    }
    for (std::size_t row = 0; row < height; ++row) {
        if (cudaError_t const error = cudaMemset(static_cast<char*>(target) + row * pitch, value, width);
            error != cudaSuccess) {
            return error;
        }
    }
    return cudaSuccess;
}
cudaError_t cudaMemset2DAsync(void* target, std::size_t pitch, int value, std::size_t width, std::size_t height,
                              cudaStream_t) {
    return cudaMemset2D(target, pitch, value, width, height);
}

cudaError_t cudaMemset3D(cudaPitchedPtr target, int value, cudaExtent extent) {
    for (std::size_t plane = 0; plane < extent.depth; ++plane) {
        char* const start = static_cast<char*>(target.ptr) + plane * target.pitch * target.ysize;
        if (cudaError_t const error = cudaMemset2D(start, target.pitch, value, extent.width, extent.height);
            error != cudaSuccess) {
            return error;
        }
    }
    return cudaSuccess;
}

cudaError_t cudaMemcpy3D(cudaMemcpy3DParms const* parameters) {
    auto const start = [](cudaPitchedPtr const& memory, cudaPos const& position, std::size_t plane) {
        return static_cast<char*>(memory.ptr) + ((position.z + plane) * memory.ysize + position.y) * memory.pitch +
               position.x;
    };
    cudaMemcpy3DParms const& p = *parameters;
    for (std::size_t plane = 0; plane < p.extent.depth; ++plane) {
        cudaError_t const error =
            cudaMemcpy2D(start(p.dstPtr, p.dstPos, plane), p.dstPtr.pitch, start(p.srcPtr, p.srcPos, plane),
                         p.srcPtr.pitch, p.extent.width, p.extent.height, p.kind);
        if (error != cudaSuccess) {
            return error;
        }
    }
    return cudaSuccess;
}
cudaError_t cudaMemcpy3DAsync(cudaMemcpy3DParms const* parameters, cudaStream_t) { return cudaMemcpy3D(parameters); }
