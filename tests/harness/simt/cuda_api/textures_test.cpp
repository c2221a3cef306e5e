// Texture objects, and the mistakes of lanes with them and with surfaces. Expected values follow from "Texture
// Fetching" of the CUDA C++ Programming Guide and can be checked by hand.

#include <cmath>

#include "tests/harness/simt/cuda_api/texture_support.hpp"

namespace lockstep::cuda_api_test {
namespace {

std::vector<float> const one_to_four = {1, 2, 3, 4};

TEST(Textures, NearestElementsAndAddressModes) {
    Textured<float> of(one_to_four, {4, 0, 0});
    std::vector<float> const at = {0, 0.99f, 1, 3.5f, 4, 100, -0.5f, -2};
    auto const with = [&](cudaTextureAddressMode mode, bool normalized) {
        of.description.addressMode[0] = mode;
        of.description.normalizedCoords = normalized;
        cudaTextureObject_t const texture = of.texture();
        return fetched<float>(at, [=](float x) { return tex1D<float>(texture, normalized ? x / 4 : x); });
    };
    EXPECT_EQ(with(cudaAddressModeClamp, false), (std::vector<float>{1, 1, 2, 4, 4, 4, 1, 1}));
    EXPECT_EQ(with(cudaAddressModeWrap, true), (std::vector<float>{1, 1, 2, 4, 1, 1, 4, 3}));
    EXPECT_EQ(with(cudaAddressModeMirror, true), (std::vector<float>{1, 1, 2, 4, 4, 4, 1, 3}));
    EXPECT_EQ(with(cudaAddressModeWrap, false), with(cudaAddressModeClamp, false)) << "needs normalized coordinates";
    of.description.borderColor[0] = -7;
    EXPECT_EQ(with(cudaAddressModeBorder, false), (std::vector<float>{1, 1, 2, 4, -7, -7, -7, -7}));
    EXPECT_EQ(with(cudaAddressModeBorder, true), (std::vector<float>{1, 1, 2, 4, -7, -7, -7, -7}));
}

// Only the fraction of a normalized coordinate counts: 1000 x 0.25 and 1000 x 0.75.
TEST(Textures, CoordinatesFarOutside) {
    std::vector<float> numbers(1000);
    for (int i = 0; i < 1000; ++i)
        numbers[static_cast<std::size_t>(i)] = static_cast<float>(i);
    Textured<float> of(numbers, {1000, 0, 0});
    of.description.normalizedCoords = 1;
    auto const at = [&](cudaTextureAddressMode mode, float x) {
        of.description.addressMode[0] = mode;
        cudaTextureObject_t const texture = of.texture();
        return fetched<float>({x}, [=](float where) { return tex1D<float>(texture, where); })[0];
    };
    EXPECT_EQ(at(cudaAddressModeWrap, 12344.25f), 250);
    EXPECT_EQ(at(cudaAddressModeMirror, 12344.25f), 250);
    EXPECT_EQ(at(cudaAddressModeMirror, 12345.25f), 750);
    EXPECT_EQ(at(cudaAddressModeMirror, -12345.25f), 750);
    EXPECT_EQ(at(cudaAddressModeWrap, 4e9f), 0);
    EXPECT_EQ(at(cudaAddressModeClamp, 4e9f), 999);
    EXPECT_EQ(at(cudaAddressModeWrap, std::nanf("")), 0);
}

// Between the centres of the elements 0 and 1, at 0.5 and 1.5, values are interpolated with weights of 8 bits.
TEST(Textures, LinearFiltering) {
    Textured<float> of(one_to_four, {4, 0, 0});
    of.description.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t const texture = of.texture();
    auto const at = [&](std::vector<float> const& x) {
        return fetched<float>(x, [=](float where) { return tex1D<float>(texture, where); });
    };
    EXPECT_EQ(at({0.5f, 1, 1.25f, 2.5f, 0, 4, 9}), (std::vector<float>{1, 1.5f, 1.75f, 3, 1, 4, 4}));
    EXPECT_EQ(at({1 + 0.5f / 256, 1 + 0.7f / 256}), (std::vector<float>{1.5f, 1.5f + 1.0f / 256})) << "ties to even";
    of.description.addressMode[0] = cudaAddressModeBorder;
    of.description.borderColor[0] = 0;
    cudaTextureObject_t const bordered = of.texture();
    EXPECT_EQ(fetched<float>({0, -0.5f}, [=](float x) { return tex1D<float>(bordered, x); }),
              (std::vector<float>{0.5f, 0}));
    of.description.addressMode[0] = cudaAddressModeWrap;
    of.description.normalizedCoords = 1;
    cudaTextureObject_t const wrapped = of.texture();
    EXPECT_EQ(fetched<float>({0}, [=](float x) { return tex1D<float>(wrapped, x); }), (std::vector<float>{2.5f}));
}

TEST(Textures, LinearFilteringOfPlanesAndBoxes) {
    Textured<float> plane({0, 1, 10, 11}, {2, 2, 0});
    plane.description.filterMode = cudaFilterModeLinear;
    Textured<float> box({0, 1, 10, 11, 100, 101, 110, 111}, {2, 2, 2});
    box.description.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t const of_plane = plane.texture();
    cudaTextureObject_t const of_box = box.texture();
    EXPECT_EQ(on_lanes<float>(1, 1, 4,
                              [=](float* out) {
                                  out[0] = tex2D<float>(of_plane, 1, 1);
                                  out[1] = tex2D<float>(of_plane, 0.5f, 1.25f);
                                  out[2] = tex3D<float>(of_box, 1, 1, 1);
                                  tex3D(&out[3], of_box, 1.5f, 0.5f, 1.25f);
                              }),
              (std::vector<float>{5.5f, 7.5f, 55.5f, 76}));
}

TEST(Textures, ComponentsAndNarrowElements) {
    Textured<uchar4> of({{1, 2, 3, 255}, {51, 0, 128, 102}}, {2, 0, 0});
    cudaTextureObject_t const whole = of.texture();
    of.description.readMode = cudaReadModeNormalizedFloat;
    of.description.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t const normalized = of.texture();
    EXPECT_EQ(on_lanes<float>(1, 1, 7,
                              [=](float* out) {
                                  uchar4 const element = tex1D<uchar4>(whole, 0);
                                  out[0] = static_cast<float>(element.x + 1000 * element.y);
                                  out[1] = static_cast<float>(element.z + 1000 * element.w);
                                  float4 const filtered = tex1D<float4>(normalized, 1.5f);
                                  out[2] = filtered.x;
                                  out[3] = filtered.y;
                                  out[4] = filtered.z;
                                  out[5] = filtered.w;
                                  out[6] = tex1D<float4>(normalized, 1).x;
                              }),
              (std::vector<float>{2001, 255003, 0.2f, 0, 128 / 255.0f, 0.4f, (1 / 255.0f + 0.2f) / 2}));

    Textured<short> of_short({-32768, -32767, 16384, 32767}, {4, 0, 0});
    cudaTextureObject_t const integers = of_short.texture();
    of_short.description.readMode = cudaReadModeNormalizedFloat;
    cudaTextureObject_t const floats = of_short.texture();
    EXPECT_EQ(fetched<int>({0, 1, 2, 3}, [=](float x) { return int{tex1D<short>(integers, x)}; }),
              (std::vector<int>{-32768, -32767, 16384, 32767}));
    EXPECT_EQ(fetched<float>({0, 1, 2, 3}, [=](float x) { return tex1D<float>(floats, x); }),
              (std::vector<float>{-1, -1, 16384 / 32767.0f, 1}));
}

// half: 1.0 is 0x3C00, -2.0 is 0xC000.
TEST(Textures, HalfElementsBecomeFloats) {
    Textured<unsigned short> bits({0x3C00, 0xC000}, {2, 0, 0});
    cudaArray_t array = nullptr;
    cudaChannelFormatDesc const half = cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
    ASSERT_EQ(cudaMallocArray(&array, &half, 2), cudaSuccess);
    ASSERT_EQ(cudaMemcpy2DArrayToArray(array, 0, 0, bits.array, 0, 0, 4, 1), cudaSuccess);
    bits.resource.res.array.array = array;
    cudaTextureObject_t const texture = bits.texture();
    EXPECT_EQ(fetched<float>({0, 1}, [=](float x) { return tex1D<float>(texture, x); }), (std::vector<float>{1, -2}));
    EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
}

TEST(Textures, LinearAndPitchedMemory) {
    int* line = nullptr;
    ASSERT_EQ(cudaMallocManaged(&line, 3 * sizeof(int)), cudaSuccess);
    for (int i = 0; i < 3; ++i)
        line[i] = 10 + i;
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear = {line, cudaCreateChannelDesc<int>(), 3 * sizeof(int)};
    cudaTextureDesc description{};
    cudaTextureObject_t texture = 0;
    ASSERT_EQ(cudaCreateTextureObject(&texture, &resource, &description, nullptr), cudaSuccess);
    EXPECT_EQ(
        on_lanes<int>(1, 5, 5, [=](int* out) { out[threadIdx.x] = tex1Dfetch<int>(texture, int(threadIdx.x) - 1); }),
        (std::vector<int>{0, 10, 11, 12, 0}))
        << "0 outside";

    float* rows = nullptr;
    std::size_t pitch = 0;
    ASSERT_EQ(cudaMallocPitch(&rows, &pitch, 2 * sizeof(float), 2), cudaSuccess);
    float const from[4] = {1, 2, 3, 4};
    ASSERT_EQ(cudaMemcpy2D(rows, pitch, from, 8, 8, 2, cudaMemcpyHostToDevice), cudaSuccess);
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D = {rows, cudaCreateChannelDesc<float>(), 2, 2, pitch};
    description.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t plane = 0;
    ASSERT_EQ(cudaCreateTextureObject(&plane, &resource, &description, nullptr), cudaSuccess);
    EXPECT_EQ(fetched<float>({0.5f, 1, 1.5f}, [=](float y) { return tex2D<float>(plane, 0.5f, y); }),
              (std::vector<float>{1, 2, 3}));
    EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
    EXPECT_EQ(cudaDestroyTextureObject(texture), cudaErrorInvalidValue) << "twice";
    EXPECT_EQ(cudaDestroyTextureObject(plane), cudaSuccess);
    cudaGetLastError();
    cudaFree(line);
    cudaFree(rows);
}

TEST(Textures, LayersAndCubes) {
    Textured<float> layers({1, 2, 3, 4, 5, 6}, {2, 1, 3}, cudaArrayLayered);
    cudaTextureObject_t const of_layers = layers.texture();
    EXPECT_EQ(on_lanes<float>(1, 1, 4,
                              [=](float* out) {
                                  out[0] = tex2DLayered<float>(of_layers, 1, 0, 0);
                                  out[1] = tex2DLayered<float>(of_layers, 0, 0, 2);
                                  out[2] = tex2DLayered<float>(of_layers, 0, 0, -1);
                                  out[3] = tex2DLayered<float>(of_layers, 0, 0, 9);
                              }),
              (std::vector<float>{2, 5, 1, 5}));

    // Face f has the elements 10 f + 1 to 10 f + 4: the upper left one is the first.
    std::vector<float> faces;
    for (int face = 0; face < 6; ++face)
        for (int i = 1; i <= 4; ++i)
            faces.push_back(static_cast<float>(10 * face + i));
    Textured<float> cube(faces, {2, 2, 6}, cudaArrayCubemap);
    cudaTextureObject_t const of_cube = cube.texture();
    // The directions of +x, -x, +y, -y, +z, -z, each a little towards smaller s and t.
    float const directions[6][3] = {{1, 0.5f, 0.5f},   {-1, 0.5f, -0.5f}, {-0.5f, 1, -0.5f},
                                    {-0.5f, -1, 0.5f}, {-0.5f, 0.5f, 1},  {0.5f, 0.5f, -1}};
    EXPECT_EQ(on_lanes<float>(1, 6, 6,
                              [&](float* out) {
                                  float const* const d = directions[threadIdx.x];
                                  out[threadIdx.x] = texCubemap<float>(of_cube, d[0], d[1], d[2]);
                              }),
              (std::vector<float>{1, 11, 21, 31, 41, 51}));
}

TEST(Textures, WhatCannotBeMadeIsAnError) {
    Textured<int> of({1, 2}, {2, 0, 0});
    cudaTextureObject_t texture = 0;
    of.description.filterMode = cudaFilterModeLinear;
    EXPECT_EQ(cudaCreateTextureObject(&texture, &of.resource, &of.description, nullptr), cudaErrorInvalidFilterSetting);
    of.description.filterMode = cudaFilterModePoint;
    of.description.sRGB = 1;
    EXPECT_EQ(cudaCreateTextureObject(&texture, &of.resource, &of.description, nullptr), cudaErrorNotSupported);
    of.description.sRGB = 0;
    cudaResourceDesc none = of.resource;
    none.res.array.array = nullptr;
    EXPECT_EQ(cudaCreateTextureObject(&texture, &none, &of.description, nullptr), cudaErrorInvalidResourceHandle);
    cudaArray_t array = nullptr;
    cudaChannelFormatDesc const three = cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindUnsigned);
    EXPECT_EQ(cudaMallocArray(&array, &three, 4), cudaErrorInvalidChannelDescriptor);
    cudaChannelFormatDesc const one = cudaCreateChannelDesc<float>();
    EXPECT_EQ(cudaMalloc3DArray(&array, &one, {4, 3, 6}, cudaArrayCubemap), cudaErrorInvalidValue) << "no squares";
    EXPECT_EQ(cudaMalloc3DArray(&array, &one, {0, 3, 1}), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMallocArray(&array, &one, std::size_t{1} << 62, 4), cudaErrorInvalidValue);
    cudaDeviceProp device{};
    ASSERT_EQ(cudaGetDeviceProperties(&device, 0), cudaSuccess);
    EXPECT_EQ(cudaMallocArray(&array, &one, static_cast<std::size_t>(device.maxTexture1D) + 1), cudaErrorInvalidValue);
    EXPECT_EQ(cudaCreateChannelDesc<double>().f, cudaChannelFormatKindNone);
    EXPECT_EQ(cudaCreateChannelDesc<float3>().f, cudaChannelFormatKindNone);
    cudaGetLastError();
}

// Linear and pitched memory has to be the device's, and aligned.
TEST(Textures, MemoryIsChecked) {
    char* device = nullptr;
    ASSERT_EQ(cudaMalloc(&device, 4096), cudaSuccess);
    int on_stack[4] = {};
    cudaTextureDesc description{};
    cudaTextureObject_t texture = 0;
    auto const linear = [&](void* memory, std::size_t bytes) {
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear = {memory, cudaCreateChannelDesc<int>(), bytes};
        return cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    };
    auto const pitched = [&](std::size_t width, std::size_t height, std::size_t pitch) {
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypePitch2D;
        resource.res.pitch2D = {device, cudaCreateChannelDesc<int>(), width, height, pitch};
        return cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    };
    EXPECT_EQ(linear(on_stack, sizeof on_stack), cudaErrorInvalidValue);
    EXPECT_EQ(linear(device, 4097), cudaErrorInvalidValue);
    EXPECT_EQ(linear(device + 4, 16), cudaErrorInvalidValue);
    EXPECT_EQ(linear(nullptr, 16), cudaErrorInvalidValue);
    EXPECT_EQ(pitched(17, 2, 64), cudaErrorInvalidValue) << "rows longer than the pitch";
    EXPECT_EQ(pitched(4, 2, 36), cudaErrorInvalidValue) << "a pitch that is not aligned";
    EXPECT_EQ(pitched(4, 129, 32), cudaErrorInvalidValue) << "more than the allocation";
    EXPECT_EQ(pitched(4, 128, 32), cudaSuccess);
    EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
    // Settings without effect: linear memory is not filtered, and 32 bits are not normalized.
    description.filterMode = cudaFilterModeLinear;
    description.readMode = cudaReadModeNormalizedFloat;
    description.maxAnisotropy = 16;
    EXPECT_EQ(linear(device, 4096), cudaSuccess);
    EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
    cudaGetLastError();
    EXPECT_EQ(cudaFree(device), cudaSuccess);
}

// More objects than there are places, one after another.
TEST(Textures, HandlesAreNotUsedAgain) {
    Textured<float> of(one_to_four, {4, 0, 0});
    cudaTextureObject_t first = 0;
    ASSERT_EQ(cudaCreateTextureObject(&first, &of.resource, &of.description, nullptr), cudaSuccess);
    ASSERT_EQ(cudaDestroyTextureObject(first), cudaSuccess);
    for (int i = 0; i < 1100000; ++i) {
        cudaTextureObject_t made = 0;
        ASSERT_EQ(cudaCreateTextureObject(&made, &of.resource, &of.description, nullptr), cudaSuccess) << i;
        ASSERT_NE(made, first);
        ASSERT_EQ(cudaDestroyTextureObject(made), cudaSuccess);
    }
    cudaTextureDesc description{};
    EXPECT_EQ(cudaGetTextureObjectTextureDesc(&description, first), cudaErrorInvalidValue);
    cudaGetLastError();
}

// A lane's mistakes end the program with a line that names the place.
TEST(TexturesDeathTest, WrongUsesAreNamed) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    Textured<float> of(one_to_four, {2, 2, 0}, cudaArraySurfaceLoadStore);
    cudaTextureObject_t const texture = of.texture();
    cudaSurfaceObject_t surface = 0;
    ASSERT_EQ(cudaCreateSurfaceObject(&surface, &of.resource), cudaSuccess);
    Textured<float> layers({1, 2}, {1, 1, 2}, cudaArrayLayered);
    cudaTextureObject_t const layered = layers.texture();
    cudaResourceDesc of_freed = of.resource;
    cudaChannelFormatDesc const format = cudaCreateChannelDesc<float>();
    cudaTextureObject_t freed = 0;
    cudaSurfaceObject_t freed_surface = 0;
    ASSERT_EQ(cudaMallocArray(&of_freed.res.array.array, &format, 2, 2, cudaArraySurfaceLoadStore), cudaSuccess);
    ASSERT_EQ(cudaCreateTextureObject(&freed, &of_freed, &of.description, nullptr), cudaSuccess);
    ASSERT_EQ(cudaCreateSurfaceObject(&freed_surface, &of_freed), cudaSuccess);
    ASSERT_EQ(cudaFreeArray(of_freed.res.array.array), cudaSuccess);
    cudaResourceDesc linear{};
    linear.resType = cudaResourceTypeLinear;
    linear.res.linear = {nullptr, format, 16};
    cudaTextureDesc const plain{};
    cudaTextureObject_t freed_memory = 0;
    ASSERT_EQ(cudaMalloc(&linear.res.linear.devPtr, 16), cudaSuccess);
    ASSERT_EQ(cudaCreateTextureObject(&freed_memory, &linear, &plain, nullptr), cudaSuccess);
    ASSERT_EQ(cudaFree(linear.res.linear.devPtr), cudaSuccess);
    auto const run = [](auto use) { on_lanes<float>(1, 1, 1, [=](float* out) { *out = use(); }); };
    auto const ends = testing::ExitedWithCode(1);
    EXPECT_EXIT(run([] { return tex2D<float>(12345, 0, 0); }), ends, "texture object that does not exist.*lane 0");
    EXPECT_EXIT(run([=] { return tex1D<float>(texture, 0); }), ends, "another kind.*textures_test.cpp");
    EXPECT_EXIT(run([=] { return tex1Dfetch<float>(texture, 0); }), ends, "tex1Dfetch reads linear memory");
    EXPECT_EXIT(run([=] { return surf2Dread<float>(surface, 8, 0); }), ends, "outside a surface");
    EXPECT_EXIT(run([=] { return surf2Dread<float>(surface, 2, 0); }), ends, "misaligned access to a surface");
    EXPECT_EXIT(run([] { return surf2Dread<float>(77, 0, 0); }), ends, "surface object that does not exist");
    EXPECT_EXIT(run([=] { return surf2Dread<float>(texture, 0, 0); }), ends, "surface object that does not exist");
    EXPECT_EXIT(run([=] { return surf1Dread<float>(surface, 0); }), ends, "surface of another kind");
    EXPECT_EXIT(run([=] { return surf2Dread<float4>(surface, 0, 0).x; }), ends, "rows are shorter than the type");
    EXPECT_EXIT(run([=] { return texCubemap<float>(layered, 1, 0, 0); }), ends, "not a cubemap");
    EXPECT_EXIT(run([=] { return tex2D<float>(freed, 0, 0); }), ends, "whose array was freed.*lane 0");
    EXPECT_EXIT(run([=] { return surf2Dread<float>(freed_surface, 0, 0); }), ends, "whose array was freed");
    EXPECT_EXIT(run([=] { return tex1Dfetch<float>(freed_memory, 0); }), ends, "whose memory was freed.*lane 0");
    EXPECT_EQ(cudaDestroyTextureObject(freed_memory), cudaSuccess);
    EXPECT_EQ(cudaDestroySurfaceObject(surface), cudaSuccess);
    EXPECT_EQ(cudaDestroySurfaceObject(freed_surface), cudaSuccess);
    EXPECT_EQ(cudaDestroyTextureObject(freed), cudaSuccess);
}

}  // namespace
}  // namespace lockstep::cuda_api_test
