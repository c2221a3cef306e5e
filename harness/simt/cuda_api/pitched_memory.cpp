#include "harness/simt/cuda_api/pitched_memory.hpp"

#include <utility>

#include "harness/simt/cuda_api/capture.hpp"

using lockstep::simt::cuda::copy_work;
using lockstep::simt::cuda::CopyWork;
using lockstep::simt::cuda::enqueue;
using lockstep::simt::cuda::fill_work;
using lockstep::simt::cuda::refuse_on_capturing;
using lockstep::simt::cuda::report;
using lockstep::simt::cuda::runs_now;

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
    pointer->xsize = extent.width;
    pointer->ysize = extent.height;
    return cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width, extent.height * extent.depth);
}

cudaError_t cudaMemcpy2D(void* target, std::size_t target_pitch, void const* source, std::size_t source_pitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    return cudaMemcpy2DAsync(target, target_pitch, source, source_pitch, width, height, kind, cudaStreamLegacy);
}
cudaError_t cudaMemcpy2DAsync(void* target, std::size_t target_pitch, void const* source, std::size_t source_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    if (width > target_pitch || width > source_pitch) {
        return report(cudaErrorInvalidPitchValue);
    }
    if (!runs_now(stream)) {
        return enqueue(stream, copy_work(target, target_pitch, source, source_pitch, width, height, kind));
    }
    for (std::size_t row = 0; row < height; ++row) {
        cudaError_t const error =
            cudaMemcpyAsync(static_cast<char*>(target) + row * target_pitch,
                            static_cast<char const*>(source) + row * source_pitch, width, kind, stream);
        if (error != cudaSuccess) {
            return error;
        }
    }
    return cudaSuccess;
}

cudaError_t cudaMemset2D(void* target, std::size_t pitch, int value, std::size_t width, std::size_t height) {
    return cudaMemset2DAsync(target, pitch, value, width, height, cudaStreamLegacy);
}
cudaError_t cudaMemset2DAsync(void* target, std::size_t pitch, int value, std::size_t width, std::size_t height,
                              cudaStream_t stream) {
    if (width > pitch) {
        return report(cudaErrorInvalidPitchValue);
    }
    if (!runs_now(stream)) {
        return enqueue(stream, fill_work(target, pitch, value, width, height));
    }
    for (std::size_t row = 0; row < height; ++row) {
        if (cudaError_t const error = cudaMemsetAsync(static_cast<char*>(target) + row * pitch, value, width, stream);
            error != cudaSuccess) {
            return error;
        }
    }
    return cudaSuccess;
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

cudaError_t cudaMemset3DAsync(cudaPitchedPtr target, int value, cudaExtent extent, cudaStream_t stream) {
    cudaError_t const error = refuse_on_capturing(stream);  // planes that do not follow one another are no node
    return error == cudaSuccess ? cudaMemset3D(target, value, extent) : error;
}

bool lockstep::simt::cuda::is_empty(cudaExtent const& extent) {
    return extent.width == 0 || extent.height == 0 || extent.depth == 0;
}

bool lockstep::simt::cuda::has_ends(cudaMemcpy3DParms const& copy) {
    return is_empty(copy.extent) || ((copy.srcArray == nullptr) != (copy.srcPtr.ptr == nullptr) &&
                                     (copy.dstArray == nullptr) != (copy.dstPtr.ptr == nullptr));
}

namespace {

// One end of a copy of boxes: the address of a box's first byte, and the distances of rows and planes.
struct Box {
    char* start;
    std::size_t row_bytes;
    std::size_t plane_bytes;
};

Box box_of(cudaPitchedPtr const& memory, cudaPos const& at) {
    std::size_t const plane = memory.pitch * memory.ysize;
    return {static_cast<char*>(memory.ptr) + at.z * plane + at.y * memory.pitch + at.x, memory.pitch, plane};
}

Box box_of(cudaArray const& array, cudaPos const& at) {
    std::size_t const plane = array.row_bytes() * array.height();
    return {array.at(at.x * array.element_bytes, at.y, at.z), array.row_bytes(), plane};
}

bool holds(cudaArray const& array, cudaPos const& at, cudaExtent const& extent) {
    auto const fits = [](std::size_t start, std::size_t count, std::size_t size) {
        return start <= size && count <= size - start;
    };
    return fits(at.x, extent.width, array.width()) && fits(at.y, extent.height, array.height()) &&
           fits(at.z, extent.depth, array.depth());
}

// An array must exist and hold the box.
cudaError_t check_array(cudaArray_t array, cudaPos const& at, cudaExtent const& extent) {
    if (array == nullptr) {
        return cudaSuccess;
    }
    if (cudaError_t const error = cudaArrayGetInfo(nullptr, nullptr, nullptr, array); error != cudaSuccess) {
        return error;
    }
    return report(holds(*array, at, extent) ? cudaSuccess : cudaErrorInvalidValue);
}

}  // namespace

cudaError_t cudaMemcpy3D(cudaMemcpy3DParms const* parameters) {
    if (parameters == nullptr || !lockstep::simt::cuda::has_ends(*parameters)) {
        return report(cudaErrorInvalidValue);
    }
    cudaMemcpy3DParms const& p = *parameters;
    if (lockstep::simt::cuda::is_empty(p.extent)) {
        return cudaSuccess;
    }
    for (auto const& [array, at] : {std::pair(p.srcArray, p.srcPos), std::pair(p.dstArray, p.dstPos)}) {
        if (cudaError_t const error = check_array(array, at, p.extent); error != cudaSuccess) {
            return error;
        }
    }
    if (p.srcArray != nullptr && p.dstArray != nullptr && p.srcArray->element_bytes != p.dstArray->element_bytes) {
        return report(cudaErrorInvalidValue);
    }
    cudaArray const* const counts = p.srcArray != nullptr ? p.srcArray : p.dstArray;
    std::size_t const width = p.extent.width * (counts == nullptr ? 1 : counts->element_bytes);
    Box const source = p.srcArray != nullptr ? box_of(*p.srcArray, p.srcPos) : box_of(p.srcPtr, p.srcPos);
    Box const target = p.dstArray != nullptr ? box_of(*p.dstArray, p.dstPos) : box_of(p.dstPtr, p.dstPos);
    for (std::size_t plane = 0; plane < p.extent.depth; ++plane) {
        cudaError_t const error =
            cudaMemcpy2D(target.start + plane * target.plane_bytes, target.row_bytes,
                         source.start + plane * source.plane_bytes, source.row_bytes, width, p.extent.height, p.kind);
        if (error != cudaSuccess) {
            return error;
        }
    }
    return cudaSuccess;
}
cudaError_t cudaMemcpy3DAsync(cudaMemcpy3DParms const* parameters, cudaStream_t stream) {
    return parameters == nullptr || runs_now(stream) ? cudaMemcpy3D(parameters)
                                                     : enqueue(stream, CopyWork{*parameters});
}
