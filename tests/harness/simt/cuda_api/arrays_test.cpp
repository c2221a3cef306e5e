// CUDA arrays and surface objects.

#include <string>

#include "tests/harness/simt/cuda_api/texture_support.hpp"

namespace lockstep::cuda_api_test {
namespace {

TEST(Arrays, CopiesStayInside) {
    cudaArray_t array = nullptr;
    cudaChannelFormatDesc const format = cudaCreateChannelDesc<char>();
    ASSERT_EQ(cudaMallocArray(&array, &format, 4, 2), cudaSuccess);
    char const text[] = "abcdefgh";
    EXPECT_EQ(cudaMemcpyToArray(array, 0, 0, text, 8, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(cudaMemcpyToArray(array, 3, 0, "XY", 2, cudaMemcpyHostToDevice), cudaSuccess) << "over the end of a row";
    EXPECT_EQ(cudaMemcpyToArray(array, 1, 1, text, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy2DToArray(array, 1, 0, "123456", 3, 2, 2, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(cudaMemcpy2DToArray(array, 3, 0, text, 4, 2, 1, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy2DToArray(array, 0, 1, text, 4, 2, 2, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy2DToArray(array, 0, 0, text, 1, 2, 2, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
    char back[9] = {};
    EXPECT_EQ(cudaMemcpyFromArray(back, array, 0, 0, 8, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(std::string(back), "a12XY45h");
    EXPECT_EQ(cudaMemcpy2DFromArray(back, 2, array, 2, 0, 2, 2, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(std::string(back, 4), "2X5h");
    cudaExtent extent{};
    EXPECT_EQ(cudaArrayGetInfo(nullptr, &extent, nullptr, array), cudaSuccess);
    EXPECT_EQ(extent.width * 10 + extent.height, 42u);
    EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
    EXPECT_EQ(cudaFreeArray(array), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaMemcpyToArray(array, 0, 0, text, 1, cudaMemcpyHostToDevice), cudaErrorInvalidResourceHandle);
    cudaGetLastError();
}

// A part of a box moves from one array to another, in elements.
TEST(Arrays, CopiesOfBoxes) {
    std::vector<int> numbers(24);
    for (int i = 0; i < 24; ++i)
        numbers[static_cast<std::size_t>(i)] = i;
    Textured<int> from(numbers, {4, 3, 2});
    Textured<int> to(std::vector<int>(8), {2, 2, 2});
    cudaMemcpy3DParms copy{};
    copy.srcArray = from.array;
    copy.srcPos = make_cudaPos(2, 1, 0);
    copy.dstArray = to.array;
    copy.extent = make_cudaExtent(2, 2, 2);
    copy.kind = cudaMemcpyDeviceToDevice;
    EXPECT_EQ(cudaMemcpy3D(&copy), cudaSuccess);
    copy.srcPos.x = 3;
    EXPECT_EQ(cudaMemcpy3D(&copy), cudaErrorInvalidValue);
    cudaMemcpy3DParms back{};
    int result[8] = {};
    back.srcArray = to.array;
    back.dstPtr = make_cudaPitchedPtr(result, 8, 2, 2);
    back.extent = make_cudaExtent(2, 2, 2);
    back.kind = cudaMemcpyDeviceToHost;
    EXPECT_EQ(cudaMemcpy3D(&back), cudaSuccess);
    EXPECT_EQ(std::vector<int>(result, result + 8), (std::vector<int>{6, 7, 10, 11, 18, 19, 22, 23}));
    back.dstPtr.ptr = nullptr;
    EXPECT_EQ(cudaMemcpy3D(&back), cudaErrorInvalidValue) << "no target";
    EXPECT_EQ(cudaMemcpy3D(nullptr), cudaErrorInvalidValue);
    cudaGetLastError();
}

// A graph has the copies of a capturing stream, and each launch makes them again.
TEST(Arrays, CopiesAreCaptured) {
    Textured<int> of({1, 2, 3, 4, 5, 6}, {3, 2, 0});
    cudaStream_t stream = nullptr;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    int from[2] = {20, 50};
    int to[6] = {};
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), cudaSuccess);
    EXPECT_EQ(cudaMemcpy2DToArrayAsync(of.array, 4, 0, from, 4, 4, 2, cudaMemcpyHostToDevice, stream), cudaSuccess);
    EXPECT_EQ(cudaMemcpy2DToArrayAsync(of.array, 2, 0, from, 4, 4, 2, cudaMemcpyHostToDevice, stream),
              cudaErrorInvalidValue)
        << "no whole elements";
    EXPECT_EQ(cudaMemcpy2DFromArrayAsync(to, 12, of.array, 0, 0, 12, 2, cudaMemcpyDeviceToHost, stream), cudaSuccess);
    ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    EXPECT_EQ(to[0], 0) << "not yet";
    ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    for (int const change : {0, 100}) {
        from[1] = 50 + change;
        EXPECT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
        EXPECT_EQ(std::vector<int>(to, to + 6), (std::vector<int>{1, 20, 3, 4, 50 + change, 6}));
    }
    EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    cudaGetLastError();
}

// A capture forbids to free memory. The array is there afterwards.
TEST(Arrays, AreNotFreedDuringACapture) {
    cudaArray_t array = nullptr;
    cudaChannelFormatDesc const format = cudaCreateChannelDesc<int>();
    cudaStream_t stream = nullptr;
    cudaGraph_t graph = nullptr;
    ASSERT_EQ(cudaMallocArray(&array, &format, 4), cudaSuccess);
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    EXPECT_EQ(cudaFreeArray(array), cudaErrorStreamCaptureUnsupported);
    EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
    EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    cudaGetLastError();
}

TEST(Surfaces, ReadAndWrite) {
    Textured<float> of({1, 2, 3, 4, 5, 6}, {3, 2, 0}, cudaArraySurfaceLoadStore);
    cudaSurfaceObject_t surface = 0;
    ASSERT_EQ(cudaCreateSurfaceObject(&surface, &of.resource), cudaSuccess);
    EXPECT_EQ(on_lanes<float>(1, 1, 4,
                              [=](float* out) {
                                  surf2Dwrite(20.0f, surface, 4, 1);
                                  surf2Dwrite(30.0f, surface, 12, 1, cudaBoundaryModeZero);
                                  surf2Dwrite(40.0f, surface, 12, 7, cudaBoundaryModeClamp);
                                  out[0] = surf2Dread<float>(surface, 4, 1);
                                  surf2Dread(&out[1], surface, 8, 1);
                                  out[2] = surf2Dread<float>(surface, -4, 0, cudaBoundaryModeZero);
                                  out[3] = surf2Dread<float>(surface, -4, 0, cudaBoundaryModeClamp);
                              }),
              (std::vector<float>{20, 40, 0, 1}));
    cudaTextureObject_t const texture = of.texture();
    EXPECT_EQ(fetched<float>({1}, [=](float x) { return tex2D<float>(texture, x, 1); }), (std::vector<float>{20}));
    EXPECT_EQ(cudaDestroySurfaceObject(surface), cudaSuccess);
    Textured<float> other({1}, {1, 0, 0});
    EXPECT_EQ(cudaCreateSurfaceObject(&surface, &other.resource), cudaErrorInvalidValue) << "not made for surfaces";
    cudaGetLastError();
}

}  // namespace
}  // namespace lockstep::cuda_api_test
