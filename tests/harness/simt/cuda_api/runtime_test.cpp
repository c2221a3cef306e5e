// The runtime API: memory and its errors, symbols, streams and events, devices, launches that a device refuses.

#include <string>

#include "harness/simt/cuda_api/barriers.hpp"
#include "tests/harness/simt/cuda_api/support.hpp"

namespace lockstep::cuda_api_test {
namespace {

using simt::cuda::launch_kernel;

TEST(Memory, AllocationsAreAligned) {
    for (std::size_t const bytes : {1, 255, 256, 1000}) {
        void* pointer = nullptr;
        ASSERT_EQ(cudaMalloc(&pointer, bytes), cudaSuccess);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pointer) % 256, 0u);
        EXPECT_EQ(cudaFree(pointer), cudaSuccess);
    }
    int* none = reinterpret_cast<int*>(1);
    EXPECT_EQ(cudaMalloc(&none, 0), cudaSuccess);
    EXPECT_EQ(none, nullptr);
    EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
}

TEST(Memory, MistakesAreErrors) {
    int on_stack = 0;
    int* device = nullptr;
    ASSERT_EQ(cudaMalloc(&device, 40), cudaSuccess);
    int* too_much = nullptr;
    EXPECT_EQ(cudaMalloc(&too_much, std::size_t{1} << 50), cudaErrorMemoryAllocation);
    EXPECT_EQ(cudaMemcpy(device, &on_stack, 4, static_cast<cudaMemcpyKind>(7)), cudaErrorInvalidMemcpyDirection);
    EXPECT_EQ(cudaMemcpy(&on_stack, &on_stack, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy(device + 9, device, 8, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);  // past the end
    EXPECT_EQ(cudaMemset(device, 0, 41), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemset(&on_stack, 0, 4), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFree(device + 1), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFreeHost(device), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    EXPECT_EQ(cudaFree(device), cudaSuccess);
    EXPECT_EQ(cudaFree(device), cudaErrorInvalidValue);  // twice
    EXPECT_EQ(cudaMemset(device, 0, 4), cudaErrorInvalidValue);
    cudaGetLastError();
}

TEST(Memory, CopiesAndKinds) {
    int const from[4] = {1, 2, 3, 4};
    int to[4] = {};
    int* device = nullptr;
    int* pinned = nullptr;
    ASSERT_EQ(cudaMalloc(&device, sizeof from), cudaSuccess);
    ASSERT_EQ(cudaMallocHost(&pinned, sizeof from), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(device, from, sizeof from, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(cudaMemcpyAsync(pinned, device, sizeof from, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(cudaMemset(device, 0xFF, 4), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(to, device, sizeof to, cudaMemcpyDefault), cudaSuccess);
    EXPECT_EQ(to[0] + to[3], 3);
    EXPECT_EQ(pinned[0] + pinned[3], 5);
    cudaPointerAttributes attributes;
    EXPECT_EQ(cudaPointerGetAttributes(&attributes, device + 3), cudaSuccess);
    EXPECT_EQ(attributes.type, cudaMemoryTypeDevice);
    EXPECT_EQ(cudaPointerGetAttributes(&attributes, pinned), cudaSuccess);
    EXPECT_EQ(attributes.type, cudaMemoryTypeHost);
    EXPECT_EQ(cudaPointerGetAttributes(&attributes, to), cudaSuccess);
    EXPECT_EQ(attributes.type, cudaMemoryTypeUnregistered);
    EXPECT_EQ(cudaFree(device), cudaSuccess);
    EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
}

TEST(Memory, RowsWithAPitch) {
    char* device = nullptr;
    std::size_t pitch = 0;
    ASSERT_EQ(cudaMallocPitch(&device, &pitch, 5, 3), cudaSuccess);
    EXPECT_EQ(pitch, 512u);
    char const from[3 * 5 + 1] = "abcdefghijklmno";
    char to[3 * 5] = {};
    EXPECT_EQ(cudaMemcpy2D(device, pitch, from, 5, 5, 3, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(device[2 * 512 + 1], 'l');
    EXPECT_EQ(cudaMemset2D(device, pitch, '-', 2, 3), cudaSuccess);
    EXPECT_EQ(cudaMemcpy2D(to, 5, device, pitch, 5, 3, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(std::string(to, sizeof to), "--cde--hij--mno");
    EXPECT_EQ(cudaMemcpy2D(to, 4, device, pitch, 5, 3, cudaMemcpyDeviceToHost), cudaErrorInvalidPitchValue);
    EXPECT_EQ(cudaMemcpy2D(to, 5, device, pitch, 5, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);  // a row more
    cudaGetLastError();
    cudaFree(device);
}

__constant__ float table[4] = {1, 2, 3, 4};
__device__ int counter;

TEST(Symbols, AreCopiedWithinTheirBounds) {
    float const values[2] = {8, 9};
    EXPECT_EQ(cudaMemcpyToSymbol(table, values, sizeof values, 2 * sizeof(float)), cudaSuccess);
    auto const sum = on_lanes<float>(1, 4, 1, [](float* out) { atomicAdd(out, table[threadIdx.x]); });
    EXPECT_EQ(sum[0], 20.0f);
    EXPECT_EQ(cudaMemcpyToSymbol(table, values, sizeof values, 3 * sizeof(float)), cudaErrorInvalidValue);
    cudaGetLastError();
    int* address = nullptr;
    EXPECT_EQ(cudaGetSymbolAddress(&address, counter), cudaSuccess);
    EXPECT_EQ(address, &counter);
    EXPECT_EQ(cudaMemset(address, 0, sizeof counter), cudaSuccess);
    on_lanes<int>(2, 3, 1, [](int*) { atomicAdd(&counter, 1); });
    int read = 0;
    EXPECT_EQ(cudaMemcpyFromSymbol(&read, counter, sizeof read), cudaSuccess);
    EXPECT_EQ(read, 6);
    std::size_t bytes = 0;
    EXPECT_EQ(cudaGetSymbolSize(&bytes, table), cudaSuccess);
    EXPECT_EQ(bytes, 16u);
}

TEST(Streams, EventsNeedARecord) {
    cudaStream_t stream = nullptr;
    cudaEvent_t start = nullptr;
    cudaEvent_t end = nullptr;
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    ASSERT_EQ(cudaEventCreate(&start), cudaSuccess);
    ASSERT_EQ(cudaEventCreate(&end), cudaSuccess);
    float milliseconds = -1;
    EXPECT_EQ(cudaEventRecord(start, stream), cudaSuccess);
    EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaEventRecord(end, stream), cudaSuccess);
    EXPECT_EQ(cudaEventSynchronize(end), cudaSuccess);
    EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaSuccess);
    EXPECT_GE(milliseconds, 0.0f);
    int called = 0;
    cudaLaunchHostFunc(
        stream, [](void* data) { ++*static_cast<int*>(data); }, &called);
    EXPECT_EQ(called, 1);
    cudaEventDestroy(start);
    cudaEventDestroy(end);
    cudaStreamDestroy(stream);
    cudaGetLastError();
}

TEST(Devices, OneWithTheLimitsOfItsCapability) {
    int count = 0;
    cudaDeviceProp properties;
    EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
    EXPECT_EQ(count, 1);
    EXPECT_EQ(cudaSetDevice(1), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
    EXPECT_EQ(properties.major * 10 + properties.minor, 80);
    int value = 0;
    EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0), cudaSuccess);
    EXPECT_EQ(value, 166912);
    EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrMaxBlockDimZ, 0), cudaSuccess);
    EXPECT_EQ(value, 64);
    int blocks = 0;
    auto const kernel = [] {};
    EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 256, 0), cudaSuccess);
    EXPECT_EQ(blocks, 8);
    EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 33, 0), cudaSuccess);
    EXPECT_EQ(blocks, 32);
    EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 32, 40 * 1024), cudaSuccess);
    EXPECT_EQ(blocks, 4);
    cudaGetLastError();
}

// What launching with this shape sets as the last error.
cudaError_t launched(dim3 grid, dim3 block, std::size_t shared_bytes = 0) {
    launch_kernel(grid, block, shared_bytes, nullptr, "nothing", __LINE__, [] {});
    return cudaGetLastError();
}

TEST(Launches, ADeviceRefusesTheseShapes) {
    EXPECT_EQ(launched(1, 1024), cudaSuccess);
    EXPECT_EQ(launched(1, 1025), cudaErrorInvalidConfiguration);
    EXPECT_EQ(launched(1, dim3(1, 1, 65)), cudaErrorInvalidConfiguration);
    EXPECT_EQ(launched(0, 32), cudaErrorInvalidConfiguration);
    EXPECT_EQ(launched(1, 0), cudaErrorInvalidConfiguration);
    EXPECT_EQ(launched(dim3(1, 65536), 1), cudaErrorInvalidConfiguration);
    EXPECT_EQ(launched(1, 1, 48 * 1024), cudaSuccess);
    EXPECT_EQ(launched(1, 1, 48 * 1024 + 1), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFuncSetAttribute(launched, cudaFuncAttributeMaxDynamicSharedMemorySize, 166913),
              cudaErrorInvalidValue);
    EXPECT_EQ(cudaFuncSetAttribute(launched, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024), cudaSuccess);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    EXPECT_EQ(launched(1, 1, 64 * 1024), cudaSuccess);
    EXPECT_EQ(launched(1, 1, 64 * 1024 + 1), cudaErrorInvalidValue);
}

TEST(Launches, LanesHaveTheirOwnArguments) {
    int x = 5;
    int* out = nullptr;
    ASSERT_EQ(cudaMallocManaged(&out, 12), cudaSuccess);
    launch_kernel(
        1, 3, 0, nullptr, "own", __LINE__, [](int* to, int value) { to[threadIdx.x] = ++value; }, out, x);
    EXPECT_EQ(out[0] + out[1] + out[2], 18);
    cudaFree(out);
}

TEST(Launches, AnUndefinedOperationEndsTheProgram) {
    EXPECT_EXIT(launch_kernel(1, 64, 0, nullptr, "half", 17,
                              [] {
                                  if (threadIdx.x % 32 < 16) {
                                      __syncwarp();
                                  }
                              }),
                testing::ExitedWithCode(1), "lockstep: .*exited.* in kernel 'half', block .*launched at line 17");
    EXPECT_EXIT(launch_kernel(1, 1, 0, nullptr, "trap", 1, [] { __trap(); }), testing::ExitedWithCode(1),
                "__trap was called in kernel 'trap'.*lane 0");
}

TEST(Errors, NamesAndTexts) {
    EXPECT_STREQ(cudaGetErrorName(cudaErrorInvalidConfiguration), "cudaErrorInvalidConfiguration");
    EXPECT_STREQ(cudaGetErrorString(cudaErrorIllegalAddress), "an illegal memory access was encountered");
    EXPECT_STREQ(cudaGetErrorString(static_cast<cudaError_t>(1000)), "unrecognized error code");
}

}  // namespace
}  // namespace lockstep::cuda_api_test
