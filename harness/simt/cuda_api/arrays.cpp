#include "harness/simt/cuda_api/arrays.hpp"

#include <algorithm>
#include <mutex>
#include <set>

#include "harness/simt/cuda_api/capture.hpp"

using lockstep::simt::cuda::report;

namespace lockstep::simt::cuda {
namespace {

struct Arrays {
    std::mutex mutex;
    std::set<cudaArray const*> alive;
};

// Never destroyed: destructors of a program's global objects free arrays.
Arrays& arrays() {
    static auto& made = *new Arrays;
    return made;
}

bool is_alive(cudaArray const* array) {
    std::lock_guard const lock(arrays().mutex);
    return arrays().alive.contains(array);
}

bool holds(cudaArray const& array, std::size_t x, std::size_t y, std::size_t width, std::size_t height) {
    return x <= array.row_bytes() && width <= array.row_bytes() - x && y <= array.height() &&
           height <= array.height() - y;
}

// The part of a row from byte x on that a copy of `left` bytes reaches.
std::size_t part_of_row(cudaArray const& array, std::size_t x, std::size_t left) {
    return std::min(array.row_bytes() - x, left);
}

// Calls copy(row's first byte, offset of the bytes that are copied, bytes) for each row of a copy of consecutive bytes.
template <class Copy>
cudaError_t for_rows(cudaArray const* array, std::size_t x, std::size_t y, std::size_t bytes, Copy const& copy) {
    if (!is_alive(array)) {
        return report(cudaErrorInvalidResourceHandle);
    }
    std::size_t const end = y * array->row_bytes() + x + bytes;
    if (x >= array->row_bytes() || end > array->height() * array->row_bytes()) {
        return report(cudaErrorInvalidValue);
    }
    for (std::size_t done = 0; done < bytes; x = 0, ++y) {
        std::size_t const part = part_of_row(*array, x, bytes - done);
        if (cudaError_t const error = copy(array->at(x, y, 0), done, part); error != cudaSuccess) {
            return error;
        }
        done += part;
    }
    return cudaSuccess;
}

// Calls copy(row's first byte, row) for each row of a rectangle.
template <class Copy>
cudaError_t for_rectangle(cudaArray const* array, std::size_t x, std::size_t y, std::size_t width, std::size_t height,
                          Copy const& copy) {
    if (!is_alive(array)) {
        return report(cudaErrorInvalidResourceHandle);
    }
    if (!holds(*array, x, y, width, height)) {
        return report(cudaErrorInvalidValue);
    }
    for (std::size_t row = 0; row < height; ++row) {
        if (cudaError_t const error = copy(array->at(x, y + row, 0), row); error != cudaSuccess) {
            return error;
        }
    }
    return cudaSuccess;
}

bool fits_flags(cudaExtent const& extent, unsigned flags) {
    if ((flags & cudaArrayCubemap) != 0) {
        bool const whole_cubes = (flags & cudaArrayLayered) != 0 ? extent.depth % 6 == 0 : extent.depth == 6;
        return extent.width == extent.height && extent.depth != 0 && whole_cubes;
    }
    // The depth of a layered array is its number of layers.
    return (flags & cudaArrayLayered) != 0 ? extent.depth != 0 : extent.depth == 0 || extent.height != 0;
}

// A copy that a stream captures counts elements.
cudaError_t check_whole_elements(cudaArray const* array, std::size_t x, std::size_t width) {
    if (!is_alive(array)) {
        return report(cudaErrorInvalidResourceHandle);
    }
    return report(x % array->element_bytes == 0 && width % array->element_bytes == 0 ? cudaSuccess
                                                                                     : cudaErrorInvalidValue);
}

}  // namespace

std::size_t bytes_of(cudaChannelFormatDesc const& format) {
    int const bits[4] = {format.x, format.y, format.z, format.w};
    int components = 0;
    while (components < 4 && bits[components] != 0) {
        if (bits[components] != bits[0]) {
            return 0;
        }
        ++components;
    }
    bool const is_float = format.f == cudaChannelFormatKindFloat;
    bool const is_width = bits[0] == 32 || bits[0] == 16 || (bits[0] == 8 && !is_float);
    bool const is_kind =
        is_float || format.f == cudaChannelFormatKindSigned || format.f == cudaChannelFormatKindUnsigned;
    bool const ends = std::all_of(bits + components, bits + 4, [](int width) { return width == 0; });
    bool const is_count = components == 1 || components == 2 || components == 4;
    return is_width && is_kind && ends && is_count ? static_cast<std::size_t>(bits[0] / 8 * components) : 0;
}

}  // namespace lockstep::simt::cuda

using lockstep::simt::cuda::arrays;
using lockstep::simt::cuda::check_whole_elements;
using lockstep::simt::cuda::CopyWork;
using lockstep::simt::cuda::enqueue;
using lockstep::simt::cuda::for_rectangle;
using lockstep::simt::cuda::for_rows;
using lockstep::simt::cuda::refuse_on_capturing;
using lockstep::simt::cuda::runs_now;

cudaError_t cudaMalloc3DArray(cudaArray_t* array, cudaChannelFormatDesc const* format, cudaExtent extent,
                              unsigned flags) {
    if (array == nullptr || format == nullptr || extent.width == 0 ||
        !lockstep::simt::cuda::fits_flags(extent, flags)) {
        return report(cudaErrorInvalidValue);
    }
    std::size_t const element = lockstep::simt::cuda::bytes_of(*format);
    if (element == 0) {
        return report(cudaErrorInvalidChannelDescriptor);
    }
    cudaArray made{*format, extent, flags, element, nullptr};
    std::size_t const bytes = made.row_bytes() * made.height() * made.depth();
    if (cudaError_t const error = cudaMalloc(&made.memory, bytes); error != cudaSuccess) {
        return error;
    }
    *array = new cudaArray(made);
    std::lock_guard const lock(arrays().mutex);
    arrays().alive.insert(*array);
    return cudaSuccess;
}
cudaError_t cudaMallocArray(cudaArray_t* array, cudaChannelFormatDesc const* format, std::size_t width,
                            std::size_t height, unsigned flags) {
    return cudaMalloc3DArray(array, format, {width, height, 0}, flags);
}

cudaError_t cudaFreeArray(cudaArray_t array) {
    if (array == nullptr) {
        return cudaSuccess;
    }
    {
        std::lock_guard const lock(arrays().mutex);
        if (arrays().alive.erase(array) == 0) {
            return report(cudaErrorInvalidResourceHandle);
        }
    }
    cudaError_t const error = cudaFree(array->memory);
    delete array;
    return error;
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags, cudaArray_t array) {
    if (!lockstep::simt::cuda::is_alive(array)) {
        return report(cudaErrorInvalidResourceHandle);
    }
    if (format != nullptr) {
        *format = array->format;
    }
    if (extent != nullptr) {
        *extent = array->extent;
    }
    if (flags != nullptr) {
        *flags = array->flags;
    }
    return cudaSuccess;
}
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array) {
    return cudaArrayGetInfo(format, nullptr, nullptr, const_cast<cudaArray_t>(array));
}

cudaError_t cudaMemcpyToArray(cudaArray_t target, std::size_t x, std::size_t y, void const* source, std::size_t bytes,
                              cudaMemcpyKind kind) {
    return for_rows(target, x, y, bytes, [&](char* row, std::size_t done, std::size_t part) {
        return cudaMemcpy(row, static_cast<char const*>(source) + done, part, kind);
    });
}
cudaError_t cudaMemcpyFromArray(void* target, cudaArray_const_t source, std::size_t x, std::size_t y, std::size_t bytes,
                                cudaMemcpyKind kind) {
    return for_rows(source, x, y, bytes, [&](char const* row, std::size_t done, std::size_t part) {
        return cudaMemcpy(static_cast<char*>(target) + done, row, part, kind);
    });
}
// Several rows are no box, so these two cannot be captured.
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t target, std::size_t x, std::size_t y, void const* source,
                                   std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    cudaError_t const error = refuse_on_capturing(stream);
    return error == cudaSuccess ? cudaMemcpyToArray(target, x, y, source, bytes, kind) : error;
}
cudaError_t cudaMemcpyFromArrayAsync(void* target, cudaArray_const_t source, std::size_t x, std::size_t y,
                                     std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    cudaError_t const error = refuse_on_capturing(stream);
    return error == cudaSuccess ? cudaMemcpyFromArray(target, source, x, y, bytes, kind) : error;
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t target, std::size_t x, std::size_t y, void const* source, std::size_t pitch,
                                std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    if (width > pitch) {
        return report(cudaErrorInvalidPitchValue);
    }
    return for_rectangle(target, x, y, width, height, [&](char* row, std::size_t index) {
        return cudaMemcpy(row, static_cast<char const*>(source) + index * pitch, width, kind);
    });
}
cudaError_t cudaMemcpy2DFromArray(void* target, std::size_t pitch, cudaArray_const_t source, std::size_t x,
                                  std::size_t y, std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    if (width > pitch) {
        return report(cudaErrorInvalidPitchValue);
    }
    return for_rectangle(source, x, y, width, height, [&](char const* row, std::size_t index) {
        return cudaMemcpy(static_cast<char*>(target) + index * pitch, row, width, kind);
    });
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t target, std::size_t x, std::size_t y, void const* source,
                                     std::size_t pitch, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream) {
    if (runs_now(stream)) {
        return cudaMemcpy2DToArray(target, x, y, source, pitch, width, height, kind);
    }
    if (cudaError_t const error = check_whole_elements(target, x, width); error != cudaSuccess) {
        return error;
    }
    CopyWork work{};
    work.parameters.srcPtr = make_cudaPitchedPtr(const_cast<void*>(source), pitch, width, height);
    work.parameters.dstArray = target;
    work.parameters.dstPos = {x / target->element_bytes, y, 0};
    work.parameters.extent = {width / target->element_bytes, height, 1};
    work.parameters.kind = kind;
    return enqueue(stream, work);
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* target, std::size_t pitch, cudaArray_const_t source, std::size_t x,
                                       std::size_t y, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
    if (runs_now(stream)) {
        return cudaMemcpy2DFromArray(target, pitch, source, x, y, width, height, kind);
    }
    if (cudaError_t const error = check_whole_elements(source, x, width); error != cudaSuccess) {
        return error;
    }
    CopyWork work{};
    work.parameters.srcArray = const_cast<cudaArray_t>(source);
    work.parameters.srcPos = {x / source->element_bytes, y, 0};
    work.parameters.dstPtr = make_cudaPitchedPtr(target, pitch, width, height);
    work.parameters.extent = {width / source->element_bytes, height, 1};
    work.parameters.kind = kind;
    return enqueue(stream, work);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t target, std::size_t target_x, std::size_t target_y,
                                     cudaArray_const_t source, std::size_t source_x, std::size_t source_y,
                                     std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    return for_rectangle(source, source_x, source_y, width, height, [&](char const* row, std::size_t index) {
        return cudaMemcpy2DToArray(target, target_x, target_y + index, row, width, width, 1, kind);
    });
}
