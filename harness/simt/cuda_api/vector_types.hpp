#pragma once
// CUDA's vector types with 1 to 4 components, with CUDA's sizes and alignments (CUDA C++ Programming Guide, "Built-in
// Vector Types"), and dim3.

#include "harness/simt/emulator/runtime.hpp"

// A GPU accesses a vector of up to 16 bytes at once, but a C++ compiler splits a copy into its components unless a part
// of the type is volatile. Counters of accesses need it whole.
#if defined(LOCKSTEP_WHOLE_VECTORS)
#define LOCKSTEP_WHOLE(bytes, components)       \
    union {                                     \
        struct {                                \
            components;                         \
        };                                      \
        unsigned char volatile whole_of[bytes]; \
    };
#else
#define LOCKSTEP_WHOLE(bytes, components) components;
#endif
#define LOCKSTEP_SPLIT(bytes, components) components;

// The alignment of 3 components is that of one; 1, 2 and 4 components are aligned to their size, up to 16 bytes.
#define LOCKSTEP_VECTOR_1(name, T) \
    struct name##1 {               \
        T x;                       \
    };                             \
    constexpr name##1 make_##name##1(T x) { return {x}; }
#define LOCKSTEP_VECTOR_2(name, T)                               \
    struct alignas(sizeof(T) < 8 ? 2 * sizeof(T) : 16) name##2 { \
        LOCKSTEP_WHOLE(2 * sizeof(T), T x; T y)                  \
    };                                                           \
    constexpr name##2 make_##name##2(T x, T y) { return {x, y}; }
#define LOCKSTEP_VECTOR_3(name, T) \
    struct name##3 {               \
        T x, y, z;                 \
    };                             \
    constexpr name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }
#define LOCKSTEP_VECTOR_4(name, T, FORM)                         \
    struct alignas(sizeof(T) < 4 ? 4 * sizeof(T) : 16) name##4 { \
        FORM(4 * sizeof(T), T x; T y; T z; T w)                  \
    };                                                           \
    constexpr name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
#define LOCKSTEP_VECTORS(name, T, FORM) \
    LOCKSTEP_VECTOR_1(name, T)          \
    LOCKSTEP_VECTOR_2(name, T)          \
    LOCKSTEP_VECTOR_3(name, T)          \
    LOCKSTEP_VECTOR_4(name, T, FORM)

LOCKSTEP_VECTORS(char, signed char, LOCKSTEP_WHOLE)
LOCKSTEP_VECTORS(uchar, unsigned char, LOCKSTEP_WHOLE)
LOCKSTEP_VECTORS(short, short, LOCKSTEP_WHOLE)
LOCKSTEP_VECTORS(ushort, unsigned short, LOCKSTEP_WHOLE)
LOCKSTEP_VECTORS(int, int, LOCKSTEP_WHOLE)
LOCKSTEP_VECTORS(long, long, LOCKSTEP_SPLIT)
LOCKSTEP_VECTORS(ulong, unsigned long, LOCKSTEP_SPLIT)
LOCKSTEP_VECTORS(longlong, long long, LOCKSTEP_SPLIT)
LOCKSTEP_VECTORS(ulonglong, unsigned long long, LOCKSTEP_SPLIT)
LOCKSTEP_VECTORS(float, float, LOCKSTEP_WHOLE)
LOCKSTEP_VECTORS(double, double, LOCKSTEP_SPLIT)
LOCKSTEP_VECTOR_1(uint, unsigned)
LOCKSTEP_VECTOR_2(uint, unsigned)
LOCKSTEP_VECTOR_4(uint, unsigned, LOCKSTEP_WHOLE)

#undef LOCKSTEP_VECTORS
#undef LOCKSTEP_VECTOR_1
#undef LOCKSTEP_VECTOR_2
#undef LOCKSTEP_VECTOR_3
#undef LOCKSTEP_VECTOR_4
#undef LOCKSTEP_WHOLE
#undef LOCKSTEP_SPLIT

// The type of threadIdx and its siblings, which the emulator defines.
using uint3 = lockstep::simt::emulator::Index;
constexpr uint3 make_uint3(unsigned x, unsigned y, unsigned z) { return {x, y, z}; }

struct dim3 {
    unsigned x, y, z;

    constexpr dim3(unsigned vx = 1, unsigned vy = 1, unsigned vz = 1) : x(vx), y(vy), z(vz) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};
