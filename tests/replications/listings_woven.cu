#line 1 "tests/replications/listings.cu"
// clang-format off
// Listings 1 and 2 of the paper, as printed, and their launches. `lockstep weave` converts it into listings_woven.cu,
// which is compiled. Both write element 0 from every warp (Listing 2 from every thread): the paper's own race.

#include "tests/replications/listings.hpp"

#include "harness/simt/buffer.hpp"
#include "harness/simt/launch.hpp"

namespace lockstep::replications::tests::LOCKSTEP_MACHINE {

using namespace simt::LOCKSTEP_MACHINE;


__global__ void TestKernel(float * deviceArray) {if ((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % warpSize == 0) { unsigned const warpIdx = (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)) * ((blockDim.x * blockDim.y * blockDim.z + warpSize - 1) / warpSize) + (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / warpSize; static_cast<void>(warpIdx);
    deviceArray[0] = 0.;
    deviceArray[warpIdx] = 1.;
}}

__global__ void TestKernel2(float * deviceArray) {
    deviceArray[0] = 0.;
    if ((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % warpSize == 0) { unsigned const warpIdx = (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)) * ((blockDim.x * blockDim.y * blockDim.z + warpSize - 1) / warpSize) + (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / warpSize; static_cast<void>(warpIdx);
    deviceArray[warpIdx] = 1.;
    }
}

std::vector<float> run_listing(unsigned number, unsigned blocks, unsigned threads) {
    Buffer<float> array(blocks * ((threads + 31) / 32) + 1);
    std::vector<float> const before(array.size(), -1);
    array.upload(before);
    simt::LaunchShape shape;
    shape.grid.x = blocks;
    shape.block.x = threads;
    launch("TestKernel", number == 1 ? TestKernel : TestKernel2, shape, {}, array.data());
    synchronize({});
    return array.to_vector();
}

}  // namespace lockstep::replications::tests::LOCKSTEP_MACHINE
