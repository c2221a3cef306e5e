// Sizes and alignments of CUDA's types, from the table of the CUDA C++ Programming Guide ("Built-in Vector Types").

#include <gtest/gtest.h>

#include <type_traits>

#include "harness/simt/cuda_api/cuda_bf16.hpp"
#include "harness/simt/cuda_api/cuda_fp16.hpp"
#include "harness/simt/cuda_api/cuda_runtime.hpp"

namespace {

template <class T, int size, int alignment>
constexpr bool is = sizeof(T) == size && alignof(T) == alignment&& std::is_trivially_copyable_v<T>;

static_assert(is<char1, 1, 1> && is<char2, 2, 2> && is<char3, 3, 1> && is<char4, 4, 4>);
static_assert(is<uchar1, 1, 1> && is<uchar2, 2, 2> && is<uchar3, 3, 1> && is<uchar4, 4, 4>);
static_assert(is<short1, 2, 2> && is<short2, 4, 4> && is<short3, 6, 2> && is<short4, 8, 8>);
static_assert(is<ushort1, 2, 2> && is<ushort2, 4, 4> && is<ushort3, 6, 2> && is<ushort4, 8, 8>);
static_assert(is<int1, 4, 4> && is<int2, 8, 8> && is<int3, 12, 4> && is<int4, 16, 16>);
static_assert(is<uint1, 4, 4> && is<uint2, 8, 8> && is<uint3, 12, 4> && is<uint4, 16, 16>);
static_assert(is<long1, 8, 8> && is<long2, 16, 16> && is<long3, 24, 8> && is<long4, 32, 16>);
static_assert(is<longlong1, 8, 8> && is<longlong2, 16, 16> && is<longlong3, 24, 8> && is<longlong4, 32, 16>);
static_assert(is<ulonglong1, 8, 8> && is<ulonglong2, 16, 16> && is<ulonglong3, 24, 8> && is<ulonglong4, 32, 16>);
static_assert(is<float1, 4, 4> && is<float2, 8, 8> && is<float3, 12, 4> && is<float4, 16, 16>);
static_assert(is<double1, 8, 8> && is<double2, 16, 16> && is<double3, 24, 8> && is<double4, 32, 16>);
static_assert(is<__half, 2, 2> && is<__half2, 4, 4> && is<__nv_bfloat16, 2, 2> && is<__nv_bfloat162, 4, 4>);
static_assert(is<dim3, 12, 4>);
static_assert(std::is_same_v<decltype(threadIdx), uint3>);
static_assert(std::is_same_v<decltype(char4{}.x), signed char>);

TEST(Types, VectorsAndDim3) {
    float4 const v = make_float4(1, 2, 3, 4);
    EXPECT_EQ(v.x + 10 * v.y + 100 * v.z + 1000 * v.w, 4321);
    dim3 const one;
    dim3 const plane(7, 5);
    EXPECT_EQ(one.x + one.y + one.z, 3u);
    EXPECT_EQ(plane.x * 100 + plane.y * 10 + plane.z, 751u);
    uint3 const converted = plane;
    EXPECT_EQ(dim3(converted).y, 5u);
}

TEST(Types, MinAndMaxHaveTheTypesOfCuda) {
    static_assert(std::is_same_v<decltype(min(1, 2u)), unsigned>);
    static_assert(std::is_same_v<decltype(max(1.0f, 2.0)), double>);
    static_assert(std::is_same_v<decltype(max(short{1}, short{2})), int>);
    EXPECT_EQ(max(-1, 1u), 0xFFFFFFFFu);  // the signed one becomes unsigned
    EXPECT_EQ(min(-1, 1), -1);
    EXPECT_EQ(min(3ll, -4ll), -4);
    EXPECT_EQ(max(NAN, 2.0f), 2.0f);  // one NaN is ignored
}

}  // namespace
