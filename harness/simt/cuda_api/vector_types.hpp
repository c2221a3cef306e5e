#pragma once
// CUDA's vector types with 1 to 4 components, with CUDA's sizes and alignments (CUDA C++ Programming Guide, "Built-in
// Vector Types"), and dim3.

#include "harness/simt/emulator/runtime.hpp"

// The alignment of 3 components is that of one; 1, 2 and 4 components are aligned to their size, up to 16 bytes.
#define LOCKSTEP_VECTOR_1(name, T) \
    struct name##1 {               \
        T x;                       \
    };                             \
    constexpr name##1 make_##name##1(T x) { return {x}; }
#define LOCKSTEP_VECTOR_2(name, T)                               \
    struct alignas(sizeof(T) < 8 ? 2 * sizeof(T) : 16) name##2 { \
        T x, y;                                                  \
    };                                                           \
    constexpr name##2 make_##name##2(T x, T y) { return {x, y}; }
#define LOCKSTEP_VECTOR_3(name, T) \
    struct name##3 {               \
        T x, y, z;                 \
    };                             \
    constexpr name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }
#define LOCKSTEP_VECTOR_4(name, T)                               \
    struct alignas(sizeof(T) < 4 ? 4 * sizeof(T) : 16) name##4 { \
        T x, y, z, w;                                            \
    };                                                           \
    constexpr name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
#define LOCKSTEP_VECTORS(name, T) \
    LOCKSTEP_VECTOR_1(name, T)    \
    LOCKSTEP_VECTOR_2(name, T)    \
    LOCKSTEP_VECTOR_3(name, T)    \
    LOCKSTEP_VECTOR_4(name, T)

LOCKSTEP_VECTORS(char, signed char)
LOCKSTEP_VECTORS(uchar, unsigned char)
LOCKSTEP_VECTORS(short, short)
LOCKSTEP_VECTORS(ushort, unsigned short)
LOCKSTEP_VECTORS(int, int)
LOCKSTEP_VECTORS(long, long)
LOCKSTEP_VECTORS(ulong, unsigned long)
LOCKSTEP_VECTORS(longlong, long long)
LOCKSTEP_VECTORS(ulonglong, unsigned long long)
LOCKSTEP_VECTORS(float, float)
LOCKSTEP_VECTORS(double, double)
LOCKSTEP_VECTOR_1(uint, unsigned)
LOCKSTEP_VECTOR_2(uint, unsigned)
LOCKSTEP_VECTOR_4(uint, unsigned)

#undef LOCKSTEP_VECTORS
#undef LOCKSTEP_VECTOR_1
#undef LOCKSTEP_VECTOR_2
#undef LOCKSTEP_VECTOR_3
#undef LOCKSTEP_VECTOR_4

// The type of threadIdx and its siblings, which the emulator defines.
using uint3 = lockstep::simt::emulator::Index;
constexpr uint3 make_uint3(unsigned x, unsigned y, unsigned z) { return {x, y, z}; }

struct dim3 {
    unsigned x, y, z;

    constexpr dim3(unsigned vx = 1, unsigned vy = 1, unsigned vz = 1) : x(vx), y(vy), z(vz) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};
