#pragma once
// Integer intrinsics with the semantics of the CUDA Math API: those that kernels of this tree do not use, after the
// others.

#include "harness/simt/emulator/integers.hpp"

// NOLINTBEGIN(bugprone-reserved-identifier): the names are CUDA's.
inline unsigned long long __brevll(unsigned long long x) {
    return static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32 |
           __brev(static_cast<unsigned>(x >> 32));
}

// The upper half of the product, and products of 24-bit operands, of which the lower 32 bits are returned.
inline long long __mul64hi(long long x, long long y) {
    __extension__ using Wide = __int128;
    return static_cast<long long>(static_cast<Wide>(x) * y >> 64);
}
inline int __mul24(int x, int y) {
    auto const low = [](int v) { return static_cast<int>(static_cast<unsigned>(v) << 8) >> 8; };
    return static_cast<int>(static_cast<unsigned>(low(x)) * static_cast<unsigned>(low(y)));
}
inline unsigned __umul24(unsigned x, unsigned y) { return (x & 0xFFFFFFu) * (y & 0xFFFFFFu); }
inline int mulhi(int x, int y) { return __mulhi(x, y); }
inline unsigned mulhi(unsigned x, unsigned y) { return __umulhi(x, y); }
inline int mul24(int x, int y) { return __mul24(x, y); }
inline unsigned umul24(unsigned x, unsigned y) { return __umul24(x, y); }
inline unsigned umulhi(unsigned x, unsigned y) { return __umulhi(x, y); }
inline long long mul64hi(long long x, long long y) { return __mul64hi(x, y); }
inline unsigned long long umul64hi(unsigned long long x, unsigned long long y) { return __umul64hi(x, y); }

// |x - y| + z, and averages without overflow.
inline unsigned __usad(unsigned x, unsigned y, unsigned z) { return (x > y ? x - y : y - x) + z; }
inline unsigned __sad(int x, int y, unsigned z) {
    auto const a = static_cast<unsigned>(x);
    auto const b = static_cast<unsigned>(y);
    return (x > y ? a - b : b - a) + z;
}
inline int __hadd(int x, int y) { return static_cast<int>((static_cast<long long>(x) + y) >> 1); }
inline int __rhadd(int x, int y) { return static_cast<int>((static_cast<long long>(x) + y + 1) >> 1); }
inline unsigned __uhadd(unsigned x, unsigned y) {
    return static_cast<unsigned>((static_cast<unsigned long long>(x) + y) >> 1);
}
inline unsigned __urhadd(unsigned x, unsigned y) {
    return static_cast<unsigned>((static_cast<unsigned long long>(x) + y + 1) >> 1);
}

// As __funnelshift_l and __funnelshift_r, with the shift clamped to 32.
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
    return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
    return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

// The position of the n-th set bit of `mask` from bit `base` upwards (n > 0), downwards (n < 0), or that bit itself if
// it is set (n = 0); all ones if there is none.
inline unsigned __fns(unsigned mask, unsigned base, int n) {
    int const step = n < 0 ? -1 : 1;
    int left = n == 0 ? 1 : n * step;
    for (int i = static_cast<int>(base); i >= 0 && i < 32; i += step) {
        if ((mask >> i & 1) != 0 && --left == 0) {
            return static_cast<unsigned>(i);
        }
        if (n == 0) {
            break;
        }
    }
    return 0xFFFFFFFFu;
}
// NOLINTEND(bugprone-reserved-identifier)
