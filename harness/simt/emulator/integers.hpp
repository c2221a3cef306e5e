#pragma once
// Integer intrinsics that kernels of this tree and foreign programs use, with the semantics of the CUDA Math API.

#include <bit>

// NOLINTBEGIN(bugprone-reserved-identifier): the names are CUDA's.
inline int __popc(unsigned x) { return std::popcount(x); }
inline int __popcll(unsigned long long x) { return std::popcount(x); }
inline int __clz(int x) { return std::countl_zero(static_cast<unsigned>(x)); }
inline int __clzll(long long x) { return std::countl_zero(static_cast<unsigned long long>(x)); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }

inline unsigned __brev(unsigned x) {
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0F0F0F0Fu) | (x & 0x0F0F0F0Fu) << 4;
    return __builtin_bswap32(x);
}

inline unsigned __umulhi(unsigned x, unsigned y) {
    return static_cast<unsigned>(static_cast<unsigned long long>(x) * y >> 32);
}
inline int __mulhi(int x, int y) { return static_cast<int>(static_cast<long long>(x) * y >> 32); }
inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<unsigned long long>(static_cast<Wide>(x) * y >> 64);
}

// Shifts the 64 bits high:low by shift & 31. The left shift returns the upper word, the right shift the lower word.
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    unsigned long long const both = static_cast<unsigned long long>(high) << 32 | low;
    return static_cast<unsigned>(both << (shift & 31) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    unsigned long long const both = static_cast<unsigned long long>(high) << 32 | low;
    return static_cast<unsigned>(both >> (shift & 31));
}

// Selects four of the eight bytes of y:x by the nibbles of `selector`. If bit 3 of a nibble is set, the byte's sign bit
// is replicated.
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
    unsigned long long const both = static_cast<unsigned long long>(y) << 32 | x;
    unsigned result = 0;
    for (unsigned i = 0; i < 4; ++i) {
        unsigned const nibble = selector >> (4 * i) & 0xF;
        unsigned byte = static_cast<unsigned>(both >> (8 * (nibble & 7))) & 0xFF;
        if ((nibble & 8) != 0) {
            byte = (byte & 0x80) != 0 ? 0xFF : 0x00;
        }
        result |= byte << (8 * i);
    }
    return result;
}
// NOLINTEND(bugprone-reserved-identifier)
