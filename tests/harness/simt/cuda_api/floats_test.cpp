// Conversions, directed rounding and device mathematics, against answers written by hand.

#include <gtest/gtest.h>

#include <climits>
#include <limits>

#include "harness/simt/cuda_api/cuda_runtime.hpp"

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float largest = std::numeric_limits<float>::max();

TEST(Conversions, ToIntegersRoundAsNamed) {
    EXPECT_EQ(__float2int_rn(2.5f), 2);  // ties to even
    EXPECT_EQ(__float2int_rn(3.5f), 4);
    EXPECT_EQ(__float2int_rz(-2.7f), -2);
    EXPECT_EQ(__float2int_ru(-2.7f), -2);
    EXPECT_EQ(__float2int_ru(2.1f), 3);
    EXPECT_EQ(__float2int_rd(-2.1f), -3);
    EXPECT_EQ(__double2ll_rn(-0.5), 0);
    EXPECT_EQ(__double2uint_ru(0.1), 1u);
}

TEST(Conversions, ToIntegersSaturate) {
    EXPECT_EQ(__float2int_rn(3e9f), INT_MAX);
    EXPECT_EQ(__float2int_rn(-inf), INT_MIN);
    EXPECT_EQ(__float2int_rz(2147483648.0f), INT_MAX);
    EXPECT_EQ(__float2int_rz(-2147483648.0f), INT_MIN);
    EXPECT_EQ(__float2uint_rn(-1.0f), 0u);
    EXPECT_EQ(__float2uint_rn(5e9f), UINT_MAX);
    EXPECT_EQ(__double2int_rd(-2147483648.5), INT_MIN);
    EXPECT_EQ(__double2int_rn(2147483647.4), INT_MAX);
    EXPECT_EQ(__double2ull_rz(1e30), ULLONG_MAX);
    EXPECT_EQ(__float2ll_rn(9.3e18f), LLONG_MAX);
}

TEST(Conversions, NanToIntegers) {
    EXPECT_EQ(__float2int_rn(NAN), 0);
    EXPECT_EQ(__float2uint_rz(NAN), 0u);
    EXPECT_EQ(__double2int_rn(NAN), INT_MIN);
    EXPECT_EQ(__double2uint_rn(NAN), 0x80000000u);
    EXPECT_EQ(__float2ll_rn(NAN), LLONG_MIN);
    EXPECT_EQ(__double2ull_rn(NAN), 1ull << 63);
}

TEST(Conversions, FromIntegersRoundAsNamed) {
    // 2^24 + 1 lies between two floats.
    EXPECT_EQ(__int2float_rn(16777217), 16777216.0f);
    EXPECT_EQ(__int2float_rz(16777217), 16777216.0f);
    EXPECT_EQ(__int2float_ru(16777217), 16777218.0f);
    EXPECT_EQ(__int2float_rd(-16777217), -16777218.0f);
    EXPECT_EQ(__int2float_rz(-16777219), -16777218.0f);
    EXPECT_EQ(__int2float_rn(16777219), 16777220.0f);
    EXPECT_EQ(__uint2float_rd(UINT_MAX), 4294967040.0f);
    EXPECT_EQ(__ull2double_rz(ULLONG_MAX), 18446744073709549568.0);
    EXPECT_EQ(__ll2float_ru(LLONG_MIN), -9223372036854775808.0f);
    EXPECT_EQ(__ull2float_rn(0), 0.0f);
    EXPECT_EQ(__double2float_rz(1.0 + 0x1p-24 + 0x1p-40), 1.0f);
    EXPECT_EQ(__double2float_ru(1.0 + 0x1p-40), 1.0f + 0x1p-23f);
    EXPECT_EQ(__double2float_rz(1e300), largest);
    EXPECT_EQ(__double2float_rn(1e300), inf);
    EXPECT_EQ(__double2float_rd(-1e300), -inf);
}

TEST(Conversions, Bits) {
    EXPECT_EQ(__float_as_int(-0.0f), INT_MIN);
    EXPECT_EQ(__int_as_float(0x3F800000), 1.0f);
    EXPECT_EQ(__double2hiint(1.0), 0x3FF00000);
    EXPECT_EQ(__double2loint(1.0 + 0x1p-52), 1);
    EXPECT_EQ(__hiloint2double(0x3FF00000, -1), 1.0 + 4294967295 * 0x1p-52);
}

TEST(RoundedArithmetic, EachModeGivesItsNeighbour) {
    float const tiny = 0x1p-30f;
    EXPECT_EQ(__fadd_rn(1.0f, tiny), 1.0f);
    EXPECT_EQ(__fadd_rz(1.0f, tiny), 1.0f);
    EXPECT_EQ(__fadd_ru(1.0f, tiny), 1.0f + 0x1p-23f);
    EXPECT_EQ(__fadd_rd(1.0f, -tiny), 1.0f - 0x1p-24f);
    EXPECT_EQ(__fsub_rz(1.0f, tiny), 1.0f - 0x1p-24f);
    EXPECT_EQ(__fmul_ru(largest, 2.0f), inf);
    EXPECT_EQ(__fmul_rz(largest, 2.0f), largest);
    EXPECT_EQ(__fdiv_rd(1.0f, 3.0f), 0x1.555554p-2f);
    EXPECT_EQ(__fdiv_ru(1.0f, 3.0f), 0x1.555556p-2f);
    EXPECT_EQ(__dadd_ru(1.0, 1e-300), 1.0 + 0x1p-52);
    EXPECT_EQ(__ddiv_rd(-1.0, 3.0), -0x1.5555555555556p-2);
    EXPECT_EQ(__fsqrt_ru(2.0f), 0x1.6a09e8p0f);
    EXPECT_EQ(__fsqrt_rd(2.0f), 0x1.6a09e6p0f);
    EXPECT_EQ(__frcp_rz(3.0f), 0x1.555554p-2f);
    EXPECT_EQ(__fadd_rn(1.0f, 3 * 0x1p-25f), 1.0f + 0x1p-23f);  // the mode is nearest again
}

TEST(RoundedArithmetic, FmaRoundsOnce) {
    float const x = 1.0f + 0x1p-12f;
    // x * x = 1 + 2^-11 + 2^-24, whose last term a product alone would lose.
    EXPECT_EQ(__fmaf_rn(x, x, -1.0f), 0x1p-11f + 0x1p-24f);
    EXPECT_EQ(__fmul_rn(x, x) - 1.0f, 0x1p-11f);
    EXPECT_EQ(__fmaf_ru(1.0f, 1.0f, 0x1p-60f), 1.0f + 0x1p-23f);
    EXPECT_EQ(__fma_rz(1.0, 1.0, -0x1p-80), 1.0 - 0x1p-53);
}

TEST(FastMath, DocumentedExceptions) {
    EXPECT_EQ(__fdividef(6.0f, 3.0f), 2.0f);
    EXPECT_EQ(__fdividef(1.0f, 0x1.8p126f), 0.0f);  // a divisor between 2^126 and 2^128 gives 0
    EXPECT_TRUE(std::isnan(__fdividef(inf, 0x1.8p126f)));
    EXPECT_GT(1.0f / 0x1.8p126f, 0.0f);
    EXPECT_TRUE(std::isnan(__powf(-2.0f, 2.0f)));
    EXPECT_FLOAT_EQ(__powf(3.0f, 2.0f), 9.0f);
    EXPECT_EQ(__saturatef(-1.0f), 0.0f);
    EXPECT_EQ(__saturatef(1.5f), 1.0f);
    EXPECT_EQ(__saturatef(NAN), 0.0f);
    EXPECT_EQ(__saturatef(0.25f), 0.25f);
}

TEST(Mathematics, KnownValues) {
    EXPECT_EQ(rsqrtf(4.0f), 0.5f);
    EXPECT_EQ(rsqrt(0.0), std::numeric_limits<double>::infinity());
    EXPECT_DOUBLE_EQ(rcbrt(27.0), 1.0 / 3);
    EXPECT_DOUBLE_EQ(norm3d(2, 3, 6), 7);
    EXPECT_DOUBLE_EQ(rnorm4d(1, 1, 1, 1), 0.5);
    EXPECT_EQ(sinpi(1.0), 0.0);
    EXPECT_EQ(cospi(0.5), 0.0);
    EXPECT_EQ(sinpi(-0.5), -1.0);
    EXPECT_EQ(cospi(1e15 + 1), -1.0);
    EXPECT_DOUBLE_EQ(sinpi(1.0 / 6), 0.5);
    EXPECT_DOUBLE_EQ(cospi(5.0 / 3), 0.5);
    EXPECT_DOUBLE_EQ(normcdf(0.0), 0.5);
    EXPECT_NEAR(normcdfinv(0.975), 1.959963984540054, 1e-14);
    EXPECT_NEAR(normcdfinv(1e-20), -9.262340089798408, 1e-13);
    EXPECT_NEAR(erfinv(0.5), 0.4769362762044699, 1e-15);
    EXPECT_NEAR(erfcinv(1.5), -0.4769362762044699, 1e-15);
    EXPECT_TRUE(std::isnan(erfinv(1.5)));
    EXPECT_NEAR(erfcx(20.0), 0.028174348741051316, 1e-16);
    EXPECT_NEAR(cyl_bessel_i0(1.0), 1.2660658777520084, 1e-14);
    EXPECT_NEAR(cyl_bessel_i1(-1.0), -0.5651591039924851, 1e-14);
    for (double const x : {1e-12, 0.1, 0.3, 0.9, 0.999999}) {
        EXPECT_NEAR(std::erf(erfinv(x)), x, 2e-16 + 1e-15 * x) << x;
    }
}

}  // namespace
