#pragma once
// An array with elements, textures of it, and fetches by lanes.

#include <algorithm>

#include "tests/harness/simt/cuda_api/support.hpp"

namespace lockstep::cuda_api_test {

// An array with the given elements, and how to read it.
template <class T>
class Textured {
public:
    Textured(std::vector<T> const& elements, cudaExtent extent, unsigned flags = cudaArrayDefault) {
        cudaChannelFormatDesc const format = cudaCreateChannelDesc<T>();
        EXPECT_EQ(cudaMalloc3DArray(&array, &format, extent, flags), cudaSuccess);
        cudaMemcpy3DParms copy{};
        copy.srcPtr = make_cudaPitchedPtr(const_cast<T*>(elements.data()), extent.width * sizeof(T), extent.width,
                                          std::max<std::size_t>(extent.height, 1));
        copy.dstArray = array;
        copy.extent = {extent.width, std::max<std::size_t>(extent.height, 1), std::max<std::size_t>(extent.depth, 1)};
        copy.kind = cudaMemcpyHostToDevice;
        EXPECT_EQ(cudaMemcpy3D(&copy), cudaSuccess);
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
        for (cudaTextureAddressMode& mode : description.addressMode)
            mode = cudaAddressModeClamp;
    }
    ~Textured() {
        for (cudaTextureObject_t const made : textures_)
            EXPECT_EQ(cudaDestroyTextureObject(made), cudaSuccess);
        EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
    }
    cudaTextureObject_t texture() {
        cudaTextureObject_t made = 0;
        EXPECT_EQ(cudaCreateTextureObject(&made, &resource, &description, nullptr), cudaSuccess);
        textures_.push_back(made);
        return made;
    }

    cudaArray_t array = nullptr;
    cudaResourceDesc resource{};
    cudaTextureDesc description{};

private:
    std::vector<cudaTextureObject_t> textures_;
};

// Fetches at each of the coordinates, one lane each.
template <class T, class Fetch>
std::vector<T> fetched(std::vector<float> const& at, Fetch const& fetch) {
    return on_lanes<T>(1, static_cast<unsigned>(at.size()), at.size(),
                       [&](T* out) { out[threadIdx.x] = fetch(at[threadIdx.x]); });
}

}  // namespace lockstep::cuda_api_test
