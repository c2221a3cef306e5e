// No include guard: cuda_fp16.hpp and cuda_bf16.hpp include this file once each, with
//   LOCKSTEP_ONE, LOCKSTEP_TWO       the types of a number and of a pair
//   LOCKSTEP_NAME(before, after)     before + the format's name in functions + after: LOCKSTEP_NAME(__float2, _rn)
//   LOCKSTEP_NAME2(before, after)    before + that name twice + after, LOCKSTEP_PAIR(before, after): + that name, 2
// Conversions between the format and other numbers, and between numbers and pairs.

// NOLINTBEGIN(bugprone-reserved-identifier): the names are CUDA's.
#define LOCKSTEP_ENCODED(value, mode) \
    LOCKSTEP_ONE::from_bits(lockstep::simt::cuda::encode<LOCKSTEP_FORMAT>(value, lockstep::simt::cuda::Rounding::mode))

inline LOCKSTEP_ONE LOCKSTEP_NAME(__float2, )(float x) { return x; }
inline LOCKSTEP_ONE LOCKSTEP_NAME(__float2, _rn)(float x) { return x; }
inline LOCKSTEP_ONE LOCKSTEP_NAME(__float2, _rz)(float x) { return LOCKSTEP_ENCODED(x, rz); }
inline LOCKSTEP_ONE LOCKSTEP_NAME(__float2, _ru)(float x) { return LOCKSTEP_ENCODED(x, ru); }
inline LOCKSTEP_ONE LOCKSTEP_NAME(__float2, _rd)(float x) { return LOCKSTEP_ENCODED(x, rd); }
inline LOCKSTEP_ONE LOCKSTEP_NAME(__double2, )(double x) { return x; }
inline float LOCKSTEP_NAME(__, 2float)(LOCKSTEP_ONE x) { return x; }

#define LOCKSTEP_FROM_INTEGER(type, T)                                                                   \
    inline LOCKSTEP_ONE LOCKSTEP_NAME(__##type##2, _rn)(T x) { return x; }                               \
    inline LOCKSTEP_ONE LOCKSTEP_NAME(__##type##2, _rz)(T x) { return LOCKSTEP_ENCODED(double(x), rz); } \
    inline LOCKSTEP_ONE LOCKSTEP_NAME(__##type##2, _ru)(T x) { return LOCKSTEP_ENCODED(double(x), ru); } \
    inline LOCKSTEP_ONE LOCKSTEP_NAME(__##type##2, _rd)(T x) { return LOCKSTEP_ENCODED(double(x), rd); }
LOCKSTEP_FROM_INTEGER(int, int)
LOCKSTEP_FROM_INTEGER(uint, unsigned)
LOCKSTEP_FROM_INTEGER(short, short)
LOCKSTEP_FROM_INTEGER(ushort, unsigned short)
#undef LOCKSTEP_FROM_INTEGER
inline LOCKSTEP_ONE LOCKSTEP_NAME(__ll2, _rn)(long long x) { return x; }
inline LOCKSTEP_ONE LOCKSTEP_NAME(__ull2, _rn)(unsigned long long x) { return x; }

#define LOCKSTEP_TO_INTEGER(type, T, mode)                                                                \
    inline T LOCKSTEP_NAME(__, 2##type##_##mode)(LOCKSTEP_ONE x) {                                        \
        return lockstep::simt::cuda::float_to_integer<T>(float(x), lockstep::simt::cuda::Rounding::mode); \
    }
#define LOCKSTEP_TO_INTEGERS(type, T) \
    LOCKSTEP_TO_INTEGER(type, T, rn)  \
    LOCKSTEP_TO_INTEGER(type, T, rz)  \
    LOCKSTEP_TO_INTEGER(type, T, ru)  \
    LOCKSTEP_TO_INTEGER(type, T, rd)
LOCKSTEP_TO_INTEGERS(int, int)
LOCKSTEP_TO_INTEGERS(uint, unsigned)
LOCKSTEP_TO_INTEGERS(short, short)
LOCKSTEP_TO_INTEGERS(ushort, unsigned short)
LOCKSTEP_TO_INTEGERS(ll, long long)
LOCKSTEP_TO_INTEGERS(ull, unsigned long long)
#undef LOCKSTEP_TO_INTEGERS
#undef LOCKSTEP_TO_INTEGER

// Pairs. The first number is the low half of the word.
inline LOCKSTEP_TWO LOCKSTEP_NAME2(__, )(LOCKSTEP_ONE x) { return {x, x}; }
inline LOCKSTEP_TWO LOCKSTEP_PAIR(__float2, _rn)(float x) { return {x, x}; }
inline LOCKSTEP_TWO LOCKSTEP_PAIR(__floats2, _rn)(float low, float high) { return {low, high}; }
inline LOCKSTEP_TWO LOCKSTEP_PAIR(__float22, _rn)(float2 x) { return {x.x, x.y}; }
inline float2 LOCKSTEP_PAIR(__, 2float2)(LOCKSTEP_TWO x) { return {x.x, x.y}; }
inline LOCKSTEP_ONE LOCKSTEP_NAME(__low2, )(LOCKSTEP_TWO x) { return x.x; }
inline LOCKSTEP_ONE LOCKSTEP_NAME(__high2, )(LOCKSTEP_TWO x) { return x.y; }
inline float __low2float(LOCKSTEP_TWO x) { return x.x; }
inline float __high2float(LOCKSTEP_TWO x) { return x.y; }
inline LOCKSTEP_TWO LOCKSTEP_PAIR(__low2, )(LOCKSTEP_TWO x) { return {x.x, x.x}; }
inline LOCKSTEP_TWO LOCKSTEP_PAIR(__high2, )(LOCKSTEP_TWO x) { return {x.y, x.y}; }
inline LOCKSTEP_TWO LOCKSTEP_PAIR(__lows2, )(LOCKSTEP_TWO x, LOCKSTEP_TWO y) { return {x.x, y.x}; }
inline LOCKSTEP_TWO LOCKSTEP_PAIR(__highs2, )(LOCKSTEP_TWO x, LOCKSTEP_TWO y) { return {x.y, y.y}; }
inline LOCKSTEP_TWO __lowhigh2highlow(LOCKSTEP_TWO x) { return {x.y, x.x}; }

// Bits.
inline short LOCKSTEP_NAME(__, _as_short)(LOCKSTEP_ONE x) { return static_cast<short>(x.bits); }
inline unsigned short LOCKSTEP_NAME(__, _as_ushort)(LOCKSTEP_ONE x) { return x.bits; }
inline LOCKSTEP_ONE LOCKSTEP_NAME(__short_as_, )(short x) {
    return LOCKSTEP_ONE::from_bits(static_cast<unsigned short>(x));
}
inline LOCKSTEP_ONE LOCKSTEP_NAME(__ushort_as_, )(unsigned short x) { return LOCKSTEP_ONE::from_bits(x); }
// NOLINTEND(bugprone-reserved-identifier)

#undef LOCKSTEP_ENCODED
#undef LOCKSTEP_FORMAT
#undef LOCKSTEP_ONE
#undef LOCKSTEP_TWO
#undef LOCKSTEP_NAME
#undef LOCKSTEP_NAME2
#undef LOCKSTEP_PAIR
