#include "harness/simt/cuda_api/arrays.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "harness/simt/cuda_api/capture.hpp"
#include "harness/simt/cuda_api/devices.hpp"

namespace lockstep::simt::cuda {
namespace {

struct Arrays {
    std::mutex mutex;
    std::map<cudaArray const*, std::shared_ptr<cudaArray>> alive;
};

// Never destroyed: destructors of a program's global objects free arrays.
Arrays& arrays() {
    static auto& made = *new Arrays;
    return made;
}

// Calls copy(row's first byte, offset of the bytes that are copied, bytes) for each row of a copy of consecutive bytes.
template <class Copy>
cudaError_t for_rows(cudaArray_const_t handle, std::size_t x, std::size_t y, std::size_t bytes, Copy const& copy) {
    std::shared_ptr<cudaArray const> const array = find_array(handle);
    if (array == nullptr) {
        return report(cudaErrorInvalidResourceHandle);
    }
    std::size_t const row = array->row_bytes();
    if (x >= row || y >= array->height() || bytes > (array->height() - y) * row - x) {
        return report(cudaErrorInvalidValue);
    }
    for (std::size_t done = 0; done < bytes; x = 0, ++y) {
        std::size_t const part = std::min(row - x, bytes - done);
        if (cudaError_t const error = copy(array->at(x, y, 0), done, part); error != cudaSuccess) {
            return error;
        }
        done += part;
    }
    return cudaSuccess;
}

// A rectangle of an array at one end of a copy, as the box that cudaMemcpy3D copies.
struct Rectangle {
    cudaPos at;
    cudaExtent extent;
};

cudaError_t find_rectangle(cudaArray_const_t handle, std::size_t x, std::size_t y, std::size_t width,
                           std::size_t height, Rectangle& found) {
    std::shared_ptr<cudaArray const> const array = find_array(handle);
    if (array == nullptr) {
        return report(cudaErrorInvalidResourceHandle);
    }
    if (x % array->element_bytes != 0 || width % array->element_bytes != 0) {
        return report(cudaErrorInvalidValue);
    }
    found = {{x / array->element_bytes, y, 0}, {width / array->element_bytes, height, 1}};
    return cudaSuccess;
}

cudaError_t describe_copy_to(cudaArray_t target, std::size_t x, std::size_t y, void const* source, std::size_t pitch,
                             std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaMemcpy3DParms& copy) {
    if (width > pitch) {
        return report(cudaErrorInvalidPitchValue);
    }
    Rectangle rectangle{};
    cudaError_t const error = find_rectangle(target, x, y, width, height, rectangle);
    copy.srcPtr = make_cudaPitchedPtr(const_cast<void*>(source), pitch, width, height);
    copy.dstArray = target;
    copy.dstPos = rectangle.at;
    copy.extent = rectangle.extent;
    copy.kind = kind;
    return error;
}

cudaError_t describe_copy_from(void* target, std::size_t pitch, cudaArray_const_t source, std::size_t x, std::size_t y,
                               std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaMemcpy3DParms& copy) {
    if (width > pitch) {
        return report(cudaErrorInvalidPitchValue);
    }
    Rectangle rectangle{};
    cudaError_t const error = find_rectangle(source, x, y, width, height, rectangle);
    copy.srcArray = const_cast<cudaArray_t>(source);
    copy.srcPos = rectangle.at;
    copy.dstPtr = make_cudaPitchedPtr(target, pitch, width, height);
    copy.extent = rectangle.extent;
    copy.kind = kind;
    return error;
}

bool fits_flags(cudaExtent const& extent, unsigned flags) {
    if ((flags & cudaArrayCubemap) != 0) {
        bool const whole_cubes = (flags & cudaArrayLayered) != 0 ? extent.depth % 6 == 0 : extent.depth == 6;
        return extent.width == extent.height && extent.depth != 0 && whole_cubes;
    }
    // The depth of a layered array is its number of layers.
    return (flags & cudaArrayLayered) != 0 ? extent.depth != 0 : extent.depth == 0 || extent.height != 0;
}

// The limits of the device for the array's dimensions.
bool fits_device(cudaExtent const& extent, unsigned flags) {
    cudaDeviceProp device{};
    cudaGetDeviceProperties(&device, 0);
    auto const at_most = [&](auto const& limits, std::size_t dimensions) {
        std::size_t const sizes[3] = {extent.width, extent.height, extent.depth};
        for (std::size_t d = 0; d < dimensions; ++d) {
            if (sizes[d] > static_cast<std::size_t>(limits[d])) {
                return false;
            }
        }
        return true;
    };
    if ((flags & cudaArrayCubemap) != 0) {
        return extent.width <= static_cast<std::size_t>(device.maxTextureCubemap) && extent.depth <= 6 * 2046;
    }
    if ((flags & cudaArrayLayered) != 0) {
        return at_most(device.maxTexture2DLayered, 3);
    }
    if (extent.depth != 0) {
        return at_most(device.maxTexture3D, 3);
    }
    return extent.height != 0 ? at_most(device.maxTexture2D, 2)
                              : extent.width <= static_cast<std::size_t>(device.maxTexture1D);
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

std::shared_ptr<cudaArray const> find_array(cudaArray_const_t array) {
    std::lock_guard const lock(arrays().mutex);
    auto const found = arrays().alive.find(array);
    return found == arrays().alive.end() ? nullptr : found->second;
}

}  // namespace lockstep::simt::cuda

using namespace lockstep::simt::cuda;

cudaError_t cudaMalloc3DArray(cudaArray_t* array, cudaChannelFormatDesc const* format, cudaExtent extent,
                              unsigned flags) {
    if (array == nullptr || format == nullptr || extent.width == 0 || !fits_flags(extent, flags) ||
        !fits_device(extent, flags)) {
        return report(cudaErrorInvalidValue);
    }
    std::size_t const element = bytes_of(*format);
    if (element == 0) {
        return report(cudaErrorInvalidChannelDescriptor);
    }
    auto const made = std::make_shared<cudaArray>(cudaArray{*format, extent, flags, element, nullptr});
    void* memory = nullptr;
    // The checks of accesses do not see what surfaces write, so such memory counts as set.
    Memory const kind = (flags & cudaArraySurfaceLoadStore) != 0 ? Memory::managed : Memory::device;
    cudaError_t const error = allocate(&memory, made->row_bytes() * made->height() * made->depth(), kind);
    if (error != cudaSuccess) {
        return error;
    }
    made->memory = static_cast<char*>(memory);
    *array = made.get();
    std::lock_guard const lock(arrays().mutex);
    arrays().alive[made.get()] = made;
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
    if (cudaError_t const error = refuse_unsafe_call(); error != cudaSuccess) {
        return error;
    }
    std::shared_ptr<cudaArray> freed;
    {
        std::lock_guard const lock(arrays().mutex);
        auto const found = arrays().alive.find(array);
        if (found == arrays().alive.end()) {
            return report(cudaErrorInvalidResourceHandle);
        }
        freed = std::move(found->second);
        arrays().alive.erase(found);
    }
    return cudaFree(std::exchange(freed->memory, nullptr));
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags, cudaArray_t handle) {
    std::shared_ptr<cudaArray const> const array = find_array(handle);
    if (array == nullptr) {
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
    cudaMemcpy3DParms copy{};
    cudaError_t const error = describe_copy_to(target, x, y, source, pitch, width, height, kind, copy);
    return error == cudaSuccess ? cudaMemcpy3D(&copy) : error;
}
cudaError_t cudaMemcpy2DFromArray(void* target, std::size_t pitch, cudaArray_const_t source, std::size_t x,
                                  std::size_t y, std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    cudaMemcpy3DParms copy{};
    cudaError_t const error = describe_copy_from(target, pitch, source, x, y, width, height, kind, copy);
    return error == cudaSuccess ? cudaMemcpy3D(&copy) : error;
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t target, std::size_t x, std::size_t y, void const* source,
                                     std::size_t pitch, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream) {
    cudaMemcpy3DParms copy{};
    cudaError_t const error = describe_copy_to(target, x, y, source, pitch, width, height, kind, copy);
    return error == cudaSuccess ? cudaMemcpy3DAsync(&copy, stream) : error;
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* target, std::size_t pitch, cudaArray_const_t source, std::size_t x,
                                       std::size_t y, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
    cudaMemcpy3DParms copy{};
    cudaError_t const error = describe_copy_from(target, pitch, source, x, y, width, height, kind, copy);
    return error == cudaSuccess ? cudaMemcpy3DAsync(&copy, stream) : error;
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t target, std::size_t target_x, std::size_t target_y,
                                     cudaArray_const_t source, std::size_t source_x, std::size_t source_y,
                                     std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    Rectangle from{};
    Rectangle to{};
    cudaError_t const error = find_rectangle(source, source_x, source_y, width, height, from);
    cudaError_t const other =
        error == cudaSuccess ? find_rectangle(target, target_x, target_y, width, height, to) : error;
    if (other != cudaSuccess) {
        return other;
    }
    cudaMemcpy3DParms copy{};
    copy.srcArray = const_cast<cudaArray_t>(source);
    copy.srcPos = from.at;
    copy.dstArray = target;
    copy.dstPos = to.at;
    copy.extent = from.extent;
    copy.kind = kind;
    return cudaMemcpy3D(&copy);
}
