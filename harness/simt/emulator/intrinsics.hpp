#pragma once
// CUDA's per-lane integer and floating-point intrinsics for the host compiler, with the semantics of the CUDA Math API.

#include <bit>

// Declared here instead of including <cmath>, which is longer than all other headers of a generated kernel together,
// and generated kernels are compiled at run time. A kernel that needs more of <cmath> includes it.
extern "C" double fma(double x, double y, double z) noexcept;
extern "C" float fmaf(float x, float y, float z) noexcept;

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

inline unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
inline float __uint_as_float(unsigned x) { return std::bit_cast<float>(x); }
inline int __float_as_int(float x) { return std::bit_cast<int>(x); }
inline float __int_as_float(int x) { return std::bit_cast<float>(x); }
inline long long __double_as_longlong(double x) { return std::bit_cast<long long>(x); }
inline double __longlong_as_double(long long x) { return std::bit_cast<double>(x); }

template <class T>
T __ldg(T const* address) {
    return *address;
}
// NOLINTEND(bugprone-reserved-identifier)

// CUDA's vector types, with which kernels load and store 16 or 8 bytes at a time.
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
struct alignas(8) uint2 {
    unsigned x, y;
};
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
