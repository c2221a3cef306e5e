// half and bfloat16: every bit pattern, ties, overflow, single rounding of fma.

#include <gtest/gtest.h>

#include <cmath>

#include "harness/simt/cuda_api/cuda_bf16.hpp"
#include "harness/simt/cuda_api/cuda_fp16.hpp"
#include "harness/simt/cuda_api/cuda_runtime.hpp"

namespace {

// Every number converts to float and back to its bits.
template <class T>
void expect_round_trips() {
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
        T const x = T::from_bits(static_cast<unsigned short>(bits));
        if (__hisnan(x)) {
            EXPECT_TRUE(__hisnan(T(static_cast<float>(x))));
        } else {
            ASSERT_EQ(T(static_cast<float>(x)).bits, bits);
        }
    }
}

TEST(NarrowFloats, RoundTrips) {
    expect_round_trips<__half>();
    expect_round_trips<__nv_bfloat16>();
}

TEST(Half, KnownBits) {
    EXPECT_EQ(__half_as_ushort(__float2half(1.0f)), 0x3C00);
    EXPECT_EQ(__half_as_ushort(__float2half(-2.0f)), 0xC000);
    EXPECT_EQ(__half_as_ushort(__float2half(65504.0f)), 0x7BFF);
    EXPECT_EQ(__half_as_ushort(__float2half(0x1p-24f)), 0x0001);
    EXPECT_EQ(__half_as_ushort(__float2half(INFINITY)), 0x7C00);
    EXPECT_EQ(__half_as_ushort(__float2half(NAN)), 0x7FFF);
    EXPECT_EQ(__half_as_ushort(__float2half(-0.0f)), 0x8000);
}

TEST(Half, RoundsToEven) {
    EXPECT_EQ(float(__float2half(2049.0f)), 2048.0f);
    EXPECT_EQ(float(__float2half(2051.0f)), 2052.0f);
    EXPECT_EQ(__half_as_ushort(__float2half(0x1p-25f)), 0x0000);  // half of the smallest number: a tie
    EXPECT_EQ(__half_as_ushort(__float2half(0x1.000002p-25f)), 0x0001);
    EXPECT_EQ(__half_as_ushort(__float2half(65519.0f)), 0x7BFF);
    EXPECT_EQ(__half_as_ushort(__float2half(65520.0f)), 0x7C00);
    // Through float this would be a tie, and rounded up.
    EXPECT_EQ(float(__double2half(2050.9999999999)), 2050.0f);
    EXPECT_EQ(float(__half(2049ll)), 2048.0f);
}

TEST(Half, DirectedRounding) {
    EXPECT_EQ(float(__float2half_ru(2049.0f)), 2050.0f);
    EXPECT_EQ(float(__float2half_rd(2051.0f)), 2050.0f);
    EXPECT_EQ(float(__float2half_rz(-2051.0f)), -2050.0f);
    EXPECT_EQ(__half_as_ushort(__float2half_rz(1e9f)), 0x7BFF);
    EXPECT_EQ(__half_as_ushort(__float2half_rd(-1e9f)), 0xFC00);
    EXPECT_EQ(__half_as_ushort(__float2half_ru(1e-30f)), 0x0001);
}

TEST(Half, ToIntegers) {
    EXPECT_EQ(__half2int_rn(__half(2.5f)), 2);
    EXPECT_EQ(__half2short_rz(__half(-60000.0f)), -32768);
    EXPECT_EQ(__half2uint_ru(__half(-1.0f)), 0u);
    EXPECT_EQ(__half2int_rz(__float2half(NAN)), 0);
    EXPECT_EQ(__half2ushort_rn(__half(INFINITY)), 65535);
}

TEST(Half, Arithmetic) {
    __half const a = 1.5f;
    __half const b = 2.0f;
    EXPECT_EQ(float(a + b), 3.5f);
    EXPECT_EQ(float(a * b), 3.0f);
    EXPECT_EQ(float(a / b), 0.75f);
    EXPECT_EQ(float(-a), -1.5f);
    EXPECT_TRUE(a < b && b >= a && a != b);
    EXPECT_EQ(float(__hadd(__half(2048.0f), __half(1.0f))), 2048.0f);
    EXPECT_EQ(float(__hadd_sat(a, b)), 1.0f);
    EXPECT_EQ(float(__hmin(__float2half(NAN), b)), 2.0f);
    EXPECT_TRUE(__hisnan(__hmin_nan(__float2half(NAN), b)));
    EXPECT_FALSE(__hne(__float2half(NAN), b));
    EXPECT_TRUE(__hneu(__float2half(NAN), b));
    EXPECT_EQ(__hisinf(__half(-INFINITY)), -1);
    EXPECT_EQ(float(hsqrt(__half(9.0f))), 3.0f);
    __half counter = 0.0f;
    counter += 3;
    ++counter;
    EXPECT_EQ(float(counter), 4.0f);
}

TEST(Half, FmaRoundsOnce) {
    // (1 + 2^-10)^2 = 1 + 2^-9 + 2^-20. Rounded first, the product is 1 + 2^-9.
    __half const x = 1.0f + 0x1p-10f;
    EXPECT_EQ(float(__hfma(x, x, -__half(1.0f + 0x1p-9f))), 0x1p-20f);
    EXPECT_EQ(float(x * x - __half(1.0f + 0x1p-9f)), 0.0f);
    // 2048 + 1 is a tie, which the tiny product breaks although no double holds the sum.
    __half const tiny = 0x1p-24f;
    EXPECT_EQ(float(__hfma(tiny, tiny, __half(2048.0f) + __half(0.0f))), 2048.0f);
    EXPECT_EQ(float(__nv_bfloat16(__hfma(__nv_bfloat16(0x1p-60f), __nv_bfloat16(0x1p-60f), __nv_bfloat16(1.0f)))),
              1.0f);
}

TEST(NarrowFloats, FusedSumsToOdd) {
    // 1 + 2^-8 is a tie of bfloat16; the product of 2^-80 lies beyond the digits of double and breaks it.
    double const above = lockstep::simt::cuda::fused(0x1p-40, 0x1p-40, 1.0 + 0x1p-8);
    double const below = lockstep::simt::cuda::fused(-0x1p-40, 0x1p-40, 1.0 + 0x1p-8);
    EXPECT_EQ(__nv_bfloat16(above).bits, 0x3F81);
    EXPECT_EQ(__nv_bfloat16(below).bits, 0x3F80);
    EXPECT_EQ(__nv_bfloat16(1.0 + 0x1p-8).bits, 0x3F80);
}

TEST(Half2, PairsAreLowAndHigh) {
    __half2 const p = __floats2half2_rn(1.0f, 2.0f);
    EXPECT_EQ(std::bit_cast<unsigned>(p), 0x40003C00u);
    EXPECT_EQ(__low2float(p), 1.0f);
    EXPECT_EQ(__high2float(p), 2.0f);
    EXPECT_EQ(__half22float2(__hfma2(p, p, p)).y, 6.0f);
    EXPECT_EQ(__low2float(__lowhigh2highlow(p)), 2.0f);
    EXPECT_EQ(__low2float(__highs2half2(p, __float2half2_rn(5.0f))), 2.0f);
    EXPECT_EQ(__half22float2(__hgt2(p, __half2half2(__half(1.5f)))).x, 0.0f);
    EXPECT_TRUE(__hbge2(p, p));
    EXPECT_FALSE(__hblt2(p, p));
    EXPECT_EQ(__half22float2(h2exp(__float2half2_rn(0.0f))).x, 1.0f);
}

TEST(Bfloat16, KnownBits) {
    EXPECT_EQ(__bfloat16_as_ushort(__float2bfloat16(1.0f)), 0x3F80);
    EXPECT_EQ(__bfloat16_as_ushort(__float2bfloat16(1.0f + 0x1p-8f)), 0x3F80);      // a tie
    EXPECT_EQ(__bfloat16_as_ushort(__float2bfloat16(1.0f + 3 * 0x1p-8f)), 0x3F82);  // the other tie
    EXPECT_EQ(__bfloat16_as_ushort(__float2bfloat16(3.4e38f)), 0x7F80);
    EXPECT_EQ(__bfloat16_as_ushort(__float2bfloat16_rz(3.4e38f)), 0x7F7F);
    EXPECT_EQ(__bfloat16_as_ushort(__float2bfloat16(0x1p-133f)), 0x0001);
    EXPECT_EQ(__bfloat162float(__nv_bfloat16(3.0f) / __nv_bfloat16(2.0f)), 1.5f);
    EXPECT_EQ(__bfloat1622float2(__float22bfloat162_rn(float2{1.0f, 4.0f})).y, 4.0f);
}

}  // namespace
