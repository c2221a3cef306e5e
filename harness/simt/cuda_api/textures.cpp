#include "harness/simt/cuda_api/textures.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "harness/simt/cuda_api/cuda_fp16.hpp"
#include "harness/simt/cuda_api/devices.hpp"
#include "harness/simt/cuda_api/object_handles.hpp"

namespace lockstep::simt::cuda {
namespace {

// What a texture object reads.
struct Texture {
    cudaResourceDesc resource;
    cudaTextureDesc description;
    std::shared_ptr<cudaArray const> array;  // null for other memory
    std::weak_ptr<void const> life;          // of other memory
    char const* memory;
    cudaChannelFormatDesc format;
    std::size_t element_bytes;
    std::size_t size[3];  // elements
    std::size_t row_bytes;
    bool is_layered;  // size[2] layers
    bool is_cubemap;
    int dimensions;
};

// Never destroyed: destructors of a program's global objects destroy textures.
Handles<Texture, 1>& textures() {
    static auto& made = *new Handles<Texture, 1>;
    return made;
}

Texture const& texture_of(cudaTextureObject_t handle, Site const& site) {
    Texture const* const texture = textures().find(handle);
    if (texture == nullptr) {
        emulator::refuse("a fetch from a texture object that does not exist", site);
    }
    if (texture->array != nullptr && texture->array->memory == nullptr) {
        emulator::refuse("a fetch from a texture whose array was freed", site);
    }
    if (texture->array == nullptr && texture->life.expired()) {
        emulator::refuse("a fetch from a texture whose memory was freed", site);
    }
    return *texture;
}

// The bits of the channel with `width` bits that starts at `from`, as read by the texture.
std::uint32_t channel(Texture const& texture, char const* from, int width) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, from, static_cast<std::size_t>(width / 8));
    if (texture.format.f == cudaChannelFormatKindFloat) {
        return width == 32 ? bits
                           : std::bit_cast<std::uint32_t>(
                                 static_cast<float>(decode<HalfFormat>(static_cast<std::uint16_t>(bits))));
    }
    bool const is_signed = texture.format.f == cudaChannelFormatKindSigned;
    auto const extended = static_cast<std::int32_t>(bits << (32 - width)) >> (32 - width);
    if (texture.description.readMode == cudaReadModeElementType) {
        return is_signed ? static_cast<std::uint32_t>(extended) : bits;
    }
    float const largest = static_cast<float>((1u << (is_signed ? width - 1 : width)) - 1);
    float const value =
        is_signed ? std::max(static_cast<float>(extended) / largest, -1.0f) : static_cast<float>(bits) / largest;
    return std::bit_cast<std::uint32_t>(value);
}

// The element at indices inside the texture.
Texel element(Texture const& texture, std::size_t x, std::size_t y, std::size_t z) {
    char const* from = texture.memory + (z * texture.size[1] + y) * texture.row_bytes + x * texture.element_bytes;
    int const bits[4] = {texture.format.x, texture.format.y, texture.format.z, texture.format.w};
    Texel texel;
    for (int i = 0; i < 4 && bits[i] != 0; ++i) {
        texel.component[i] = channel(texture, from, bits[i]);
        from += bits[i] / 8;
    }
    return texel;
}

// The index inside a dimension that an index outside stands for, or nothing for the border.
std::optional<std::size_t> inside(cudaTextureAddressMode mode, std::int64_t index, std::size_t size) {
    auto const n = static_cast<std::int64_t>(size);
    if (index >= 0 && index < n) {
        return static_cast<std::size_t>(index);
    }
    switch (mode) {
        case cudaAddressModeBorder:
            return std::nullopt;
        case cudaAddressModeWrap:
            return static_cast<std::size_t>((index % n + n) % n);
        case cudaAddressModeMirror: {
            std::int64_t const period = (index % (2 * n) + 2 * n) % (2 * n);
            return static_cast<std::size_t>(period < n ? period : 2 * n - 1 - period);
        }
        default:
            return static_cast<std::size_t>(std::clamp<std::int64_t>(index, 0, n - 1));
    }
}

// The colour of the border. A program passes an integer as the float with its bits.
Texel border(Texture const& texture) {
    Texel texel;
    std::memcpy(texel.component, texture.description.borderColor, sizeof texel.component);
    return texel;
}

// The element at indices that may be outside.
Texel addressed(Texture const& texture, int dimensions, std::int64_t const* index, std::size_t layer) {
    std::size_t at[3] = {0, 0, 0};
    for (int d = 0; d < dimensions; ++d) {
        // Wrapping and mirroring need normalized coordinates.
        cudaTextureAddressMode mode = texture.description.addressMode[d];
        if (texture.description.normalizedCoords == 0 && mode != cudaAddressModeBorder) {
            mode = cudaAddressModeClamp;
        }
        std::optional<std::size_t> const position = inside(mode, index[d], texture.size[d]);
        if (!position) {
            return border(texture);
        }
        at[d] = *position;
    }
    return element(texture, at[0], at[1], texture.is_layered ? layer : at[2]);
}

// A normalized coordinate of a wrapped or mirrored texture, between 0 and 1.
float folded(cudaTextureAddressMode mode, float x) {
    float const below = std::floor(x);
    bool const is_odd = std::fmod(below, 2.0f) != 0;
    return mode == cudaAddressModeMirror && is_odd ? 1 - (x - below) : x - below;
}

// A coordinate in elements. Coordinates that no texture can have become 0, or one far outside.
float scaled(Texture const& texture, int d, float x) {
    constexpr float far = 1 << 30;
    if (texture.description.normalizedCoords != 0 && std::isfinite(x)) {
        cudaTextureAddressMode const mode = texture.description.addressMode[d];
        bool const folds = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
        x = (folds ? folded(mode, x) : x) * static_cast<float>(texture.size[d]);
    }
    return std::isnan(x) ? 0 : std::clamp(x, -far, far);
}

Texel nearest(Texture const& texture, int dimensions, float const* at, std::size_t layer) {
    std::int64_t index[3];
    for (int d = 0; d < dimensions; ++d) {
        index[d] = static_cast<std::int64_t>(std::floor(at[d]));
    }
    return addressed(texture, dimensions, index, layer);
}

Texel linear(Texture const& texture, int dimensions, float const* at, std::size_t layer) {
    std::int64_t low[3];
    float weight[3];  // of the next element
    for (int d = 0; d < dimensions; ++d) {
        float const shifted = at[d] - 0.5f;
        float const below = std::floor(shifted);
        low[d] = static_cast<std::int64_t>(below);
        weight[d] = std::nearbyint((shifted - below) * 256) / 256;
    }
    float sums[4] = {};
    for (int corner = 0; corner < 1 << dimensions; ++corner) {
        std::int64_t index[3];
        float product = 1;
        for (int d = 0; d < dimensions; ++d) {
            bool const next = (corner >> d & 1) != 0;
            index[d] = low[d] + next;
            product *= next ? weight[d] : 1 - weight[d];
        }
        if (product == 0) {
            continue;  // an infinity there does not count
        }
        Texel const texel = addressed(texture, dimensions, index, layer);
        for (int i = 0; i < 4; ++i) {
            sums[i] += product * std::bit_cast<float>(texel.component[i]);
        }
    }
    Texel result;
    std::memcpy(result.component, sums, sizeof sums);
    return result;
}

Texel sampled(Texture const& texture, int dimensions, float const* coordinates, std::size_t layer) {
    float at[3];
    for (int d = 0; d < dimensions; ++d) {
        at[d] = scaled(texture, d, coordinates[d]);
    }
    return texture.description.filterMode == cudaFilterModeLinear ? linear(texture, dimensions, at, layer)
                                                                  : nearest(texture, dimensions, at, layer);
}

// Whether linear or pitched memory is device memory with the alignments that a texture needs.
bool is_readable(Texture const& texture) {
    cudaDeviceProp device{};
    cudaGetDeviceProperties(&device, 0);
    bool const is_pitched = texture.resource.resType == cudaResourceTypePitch2D;
    std::size_t const width = is_pitched ? texture.size[0] * texture.element_bytes : texture.row_bytes;
    bool const is_aligned = reinterpret_cast<std::uintptr_t>(texture.memory) % device.textureAlignment == 0 &&
                            (!is_pitched || texture.row_bytes % device.texturePitchAlignment == 0);
    return is_aligned && texture.size[0] != 0 && width <= texture.row_bytes && texture.size[1] != 0 &&
           is_device_memory(texture.memory, (texture.size[1] - 1) * texture.row_bytes + width);
}

// Fills in where the texture's elements are. Returns the error of an invalid resource.
cudaError_t describe(cudaResourceDesc const& resource, Texture& texture) {
    switch (resource.resType) {
        case cudaResourceTypeArray: {
            std::shared_ptr<cudaArray const> const array = find_array(resource.res.array.array);
            if (array == nullptr) {
                return cudaErrorInvalidResourceHandle;
            }
            texture.array = array;
            texture.format = array->format;
            texture.memory = array->memory;
            texture.size[0] = array->width();
            texture.size[1] = array->height();
            texture.size[2] = array->depth();
            texture.row_bytes = array->row_bytes();
            texture.is_layered = array->is_layered();
            texture.is_cubemap = (array->flags & cudaArrayCubemap) != 0;
            texture.dimensions = array->extent.height == 0 ? 1 : array->extent.depth == 0 || texture.is_layered ? 2 : 3;
            break;
        }
        case cudaResourceTypeLinear: {
            auto const& memory = resource.res.linear;
            texture.memory = static_cast<char const*>(memory.devPtr);
            texture.format = memory.desc;
            texture.row_bytes = memory.sizeInBytes;
            texture.dimensions = 1;
            break;
        }
        case cudaResourceTypePitch2D: {
            auto const& memory = resource.res.pitch2D;
            texture.memory = static_cast<char const*>(memory.devPtr);
            texture.format = memory.desc;
            texture.size[0] = memory.width;
            texture.size[1] = memory.height;
            texture.row_bytes = memory.pitchInBytes;
            texture.dimensions = 2;
            break;
        }
        default:
            return cudaErrorNotSupported;
    }
    texture.element_bytes = bytes_of(texture.format);
    if (texture.element_bytes == 0) {
        return cudaErrorInvalidChannelDescriptor;
    }
    if (resource.resType == cudaResourceTypeLinear) {
        texture.size[0] = texture.row_bytes / texture.element_bytes;
    }
    texture.life = life_of_allocation(texture.memory);
    return texture.array != nullptr || is_readable(texture) ? cudaSuccess : cudaErrorInvalidValue;
}

// Whether the elements can be read and filtered as described. Removes settings that have no effect: integers of 32 bits
// are not normalized, and linear memory is not filtered.
cudaError_t check(Texture& texture) {
    cudaTextureDesc& description = texture.description;
    bool const is_float = texture.format.f == cudaChannelFormatKindFloat;
    if (texture.format.x == 32) {
        description.readMode = cudaReadModeElementType;
    }
    if (texture.resource.resType == cudaResourceTypeLinear) {
        description.filterMode = cudaFilterModePoint;
    }
    bool const is_linear = description.filterMode == cudaFilterModeLinear;
    if (description.sRGB != 0 || (is_linear && description.seamlessCubemap != 0)) {
        return cudaErrorNotSupported;
    }
    bool const is_normalized = description.readMode == cudaReadModeNormalizedFloat;
    return is_linear && !is_float && !is_normalized ? cudaErrorInvalidFilterSetting : cudaSuccess;
}

void expect_dimensions(Texture const& texture, int dimensions, bool is_layered, Site const& site) {
    if (texture.dimensions != dimensions || texture.is_layered != is_layered) {
        emulator::refuse("a fetch for a texture of another kind (the dimensions or layers differ)", site);
    }
}

std::size_t layer_of(Texture const& texture, int layer) {
    return static_cast<std::size_t>(std::clamp<std::int64_t>(layer, 0, static_cast<std::int64_t>(texture.size[2]) - 1));
}

}  // namespace

Texel fetch(cudaTextureObject_t handle, int dimensions, float const* coordinates, Site const& site) {
    Texture const& texture = texture_of(handle, site);
    expect_dimensions(texture, dimensions, false, site);
    if (texture.resource.resType == cudaResourceTypeLinear) {
        emulator::refuse("a fetch for a texture of another kind (linear memory has tex1Dfetch only)", site);
    }
    return sampled(texture, dimensions, coordinates, 0);
}

Texel fetch_layered(cudaTextureObject_t handle, int dimensions, float const* coordinates, int layer, Site const& site) {
    Texture const& texture = texture_of(handle, site);
    expect_dimensions(texture, dimensions, true, site);
    return sampled(texture, dimensions, coordinates, layer_of(texture, layer));
}

// "Cubemap Textures" of the guide: the face is that of the largest component.
Texel fetch_cubemap(cudaTextureObject_t handle, float x, float y, float z, Site const& site) {
    Texture const& texture = texture_of(handle, site);
    if (!texture.is_cubemap) {
        emulator::refuse("a fetch for a texture of another kind (the array is not a cubemap)", site);
    }
    float const ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
    int face = 0;
    float major = 0, s = 0, t = 0;
    if (ax >= ay && ax >= az) {
        face = x >= 0 ? 0 : 1;
        major = ax, s = x >= 0 ? -z : z, t = -y;
    } else if (ay >= az) {
        face = y >= 0 ? 2 : 3;
        major = ay, s = x, t = y >= 0 ? z : -z;
    } else {
        face = z >= 0 ? 4 : 5;
        major = az, s = z >= 0 ? x : -x, t = -y;
    }
    Texture of_face = texture;
    of_face.description.normalizedCoords = 1;
    of_face.description.addressMode[0] = of_face.description.addressMode[1] = cudaAddressModeClamp;
    float const coordinates[2] = {(s / major + 1) / 2, (t / major + 1) / 2};
    return sampled(of_face, 2, coordinates, layer_of(texture, face));
}

Texel fetch_linear(cudaTextureObject_t handle, int index, Site const& site) {
    Texture const& texture = texture_of(handle, site);
    if (texture.resource.resType != cudaResourceTypeLinear) {
        emulator::refuse("a fetch for a texture of another kind (tex1Dfetch reads linear memory)", site);
    }
    bool const is_inside = index >= 0 && static_cast<std::size_t>(index) < texture.size[0];
    return is_inside ? element(texture, static_cast<std::size_t>(index), 0, 0) : Texel{};
}

}  // namespace lockstep::simt::cuda

using lockstep::simt::cuda::report;
using lockstep::simt::cuda::Texture;
using lockstep::simt::cuda::textures;

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* handle, cudaResourceDesc const* resource,
                                    cudaTextureDesc const* description, cudaResourceViewDesc const* view) {
    if (handle == nullptr || resource == nullptr || description == nullptr) {
        return report(cudaErrorInvalidValue);
    }
    if (view != nullptr) {
        return report(cudaErrorNotSupported);
    }
    Texture texture{*resource, *description, nullptr, {}, nullptr, {}, 0, {1, 1, 1}, 0, false, false, 1};
    if (cudaError_t const error = lockstep::simt::cuda::describe(*resource, texture); error != cudaSuccess) {
        return report(error);
    }
    if (cudaError_t const error = lockstep::simt::cuda::check(texture); error != cudaSuccess) {
        return report(error);
    }
    *handle = textures().add(std::move(texture));
    return report(*handle == 0 ? cudaErrorMemoryAllocation : cudaSuccess);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t handle) {
    return report(handle == 0 || textures().remove(handle) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t handle) {
    Texture const* const texture = textures().find(handle);
    if (texture == nullptr) {
        return report(cudaErrorInvalidValue);
    }
    *resource = texture->resource;
    return cudaSuccess;
}
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description, cudaTextureObject_t handle) {
    Texture const* const texture = textures().find(handle);
    if (texture == nullptr) {
        return report(cudaErrorInvalidValue);
    }
    *description = texture->description;  // without the settings that have no effect
    return cudaSuccess;
}
