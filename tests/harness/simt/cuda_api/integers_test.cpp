// Integer intrinsics at their boundaries, against answers written by hand.

#include <gtest/gtest.h>

#include <climits>

#include "harness/simt/cuda_api/cuda_runtime.hpp"

namespace {

TEST(Integers, CountsOfBits) {
    EXPECT_EQ(__popc(0), 0);
    EXPECT_EQ(__popc(0xF0F0F0F1u), 17);
    EXPECT_EQ(__popcll(~0ull), 64);
    EXPECT_EQ(__clz(0), 32);
    EXPECT_EQ(__clz(1), 31);
    EXPECT_EQ(__clz(-1), 0);
    EXPECT_EQ(__clzll(0), 64);
    EXPECT_EQ(__clzll(1ll << 40), 23);
    EXPECT_EQ(__ffs(0), 0);
    EXPECT_EQ(__ffs(INT_MIN), 32);
    EXPECT_EQ(__ffsll(1ll << 40), 41);
    EXPECT_EQ(__brev(0x00000001u), 0x80000000u);
    EXPECT_EQ(__brev(0x12345678u), 0x1E6A2C48u);
    EXPECT_EQ(__brevll(1), 1ull << 63);
    EXPECT_EQ(__brevll(0x12345678ull << 32), 0x1E6A2C48ull);
    EXPECT_EQ(__fns(0b101100, 0, 1), 2u);
    EXPECT_EQ(__fns(0b101100, 0, 3), 5u);
    EXPECT_EQ(__fns(0b101100, 0, 4), 0xFFFFFFFFu);
    EXPECT_EQ(__fns(0b101100, 4, -1), 3u);
    EXPECT_EQ(__fns(0b101100, 3, 0), 3u);
    EXPECT_EQ(__fns(0b101100, 4, 0), 0xFFFFFFFFu);
}

TEST(Integers, Products) {
    EXPECT_EQ(__mulhi(INT_MIN, INT_MIN), 0x40000000);
    EXPECT_EQ(__mulhi(-1, 1), -1);
    EXPECT_EQ(__umulhi(~0u, ~0u), 0xFFFFFFFEu);
    EXPECT_EQ(__mul64hi(-1, 1), -1);
    EXPECT_EQ(__umul64hi(~0ull, ~0ull), ~0ull - 1);
    EXPECT_EQ(__mul24(0x00FFFFFF, 2), -2);  // 24 set bits are -1
    EXPECT_EQ(__mul24(0x01000003, 5), 15);  // the upper 8 bits do not count
    EXPECT_EQ(__umul24(0x01000003u, 5u), 15u);
    EXPECT_EQ(__umul24(0xFFFFFFu, 0xFFFFFFu), 0xFE000001u);
}

TEST(Integers, SumsAndAverages) {
    EXPECT_EQ(__sad(INT_MIN, INT_MAX, 1), 0u);  // 2^32 - 1 + 1 wraps
    EXPECT_EQ(__sad(-3, 4, 10), 17u);
    EXPECT_EQ(__usad(3, ~0u, 0), ~0u - 3);
    EXPECT_EQ(__hadd(INT_MAX, INT_MAX), INT_MAX);
    EXPECT_EQ(__hadd(-3, 0), -2);  // rounds down
    EXPECT_EQ(__rhadd(-3, 0), -1);
    EXPECT_EQ(__uhadd(~0u, 1), 0x80000000u);
    EXPECT_EQ(__urhadd(~0u, ~0u), ~0u);
}

TEST(Integers, ShiftsOfTwoWords) {
    EXPECT_EQ(__funnelshift_l(0x80000000u, 1, 1), 3u);
    EXPECT_EQ(__funnelshift_l(5, 7, 32), 7u);  // the shift is taken modulo 32
    EXPECT_EQ(__funnelshift_lc(5, 7, 32), 5u);
    EXPECT_EQ(__funnelshift_lc(5, 7, 99), 5u);
    EXPECT_EQ(__funnelshift_r(0, 1, 1), 0x80000000u);
    EXPECT_EQ(__funnelshift_r(5, 7, 32), 5u);
    EXPECT_EQ(__funnelshift_rc(5, 7, 32), 7u);
}

TEST(Integers, Bytes) {
    EXPECT_EQ(__byte_perm(0x33221100u, 0x77665544u, 0x7531u), 0x77553311u);
    EXPECT_EQ(__byte_perm(0x33221100u, 0x77665544u, 0x0123u), 0x00112233u);
    EXPECT_EQ(__byte_perm(0x00008000u, 0, 0x9990u), 0xFFFFFF00u);  // bit 3 replicates the sign of byte 1
}

TEST(Integers, DotProducts) {
    EXPECT_EQ(__dp4a(0x01FF0203, 0x010203FF, 100), 100 + 1 - 2 + 6 - 3);
    EXPECT_EQ(__dp4a(0x01FF0203u, 0x01020304u, 100u), 100 + 1 + 510 + 6 + 12u);
    EXPECT_EQ(__dp4a(char4{3, 2, -1, 1}, char4{-1, 3, 2, 1}, 0), -3 + 6 - 2 + 1);
    EXPECT_EQ(__dp4a(int(0x80808080), int(0x80808080), INT_MAX), INT_MIN + 65535);  // wraps
    EXPECT_EQ(__dp2a_lo(0x00020003, 0x04050607, 0), 3 * 7 + 2 * 6);
    EXPECT_EQ(__dp2a_hi(0x00020003, 0x04050607, 0), 3 * 5 + 2 * 4);
    EXPECT_EQ(__dp2a_lo(ushort2{3, 0xFFFF}, uchar4{1, 2, 0, 0}, 1u), 3 + 2 * 65535 + 1u);
}

}  // namespace
