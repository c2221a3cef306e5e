#pragma once
// Dot products of packed bytes, and of packed halfwords with bytes, accumulated into 32 bits: __dp4a and __dp2a.

#include <bit>

#include "harness/simt/cuda_api/vector_types.hpp"

namespace lockstep::simt::cuda {

// Element `index` of a word of packed elements.
template <class T>
constexpr T element(unsigned word, unsigned index) {
    return static_cast<T>(word >> (8 * sizeof(T) * index));
}
// The sum of the products of the elements of a with those of b from `first` on. Wraps, as the instructions do.
template <class A, class B>
unsigned dot(unsigned a, unsigned b, unsigned first, unsigned sum) {
    for (unsigned i = 0; i < 4 / sizeof(A); ++i) {
        sum += static_cast<unsigned>(static_cast<int>(element<A>(a, i)) * static_cast<int>(element<B>(b, first + i)));
    }
    return sum;
}

inline unsigned packed(char4 v) { return std::bit_cast<unsigned>(v); }
inline unsigned packed(uchar4 v) { return std::bit_cast<unsigned>(v); }
inline unsigned packed(short2 v) { return std::bit_cast<unsigned>(v); }
inline unsigned packed(ushort2 v) { return std::bit_cast<unsigned>(v); }

}  // namespace lockstep::simt::cuda

// NOLINTBEGIN(bugprone-reserved-identifier): the names are CUDA's.
inline int __dp4a(int a, int b, int c) {
    return static_cast<int>(lockstep::simt::cuda::dot<signed char, signed char>(
        static_cast<unsigned>(a), static_cast<unsigned>(b), 0, static_cast<unsigned>(c)));
}
inline unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
    return lockstep::simt::cuda::dot<unsigned char, unsigned char>(a, b, 0, c);
}
inline int __dp4a(char4 a, char4 b, int c) {
    using lockstep::simt::cuda::packed;
    return __dp4a(static_cast<int>(packed(a)), static_cast<int>(packed(b)), c);
}
inline unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) {
    using lockstep::simt::cuda::packed;
    return __dp4a(packed(a), packed(b), c);
}
inline int __dp2a_lo(int a, int b, int c) {
    return static_cast<int>(lockstep::simt::cuda::dot<short, signed char>(
        static_cast<unsigned>(a), static_cast<unsigned>(b), 0, static_cast<unsigned>(c)));
}
inline int __dp2a_hi(int a, int b, int c) {
    return static_cast<int>(lockstep::simt::cuda::dot<short, signed char>(
        static_cast<unsigned>(a), static_cast<unsigned>(b), 2, static_cast<unsigned>(c)));
}
inline unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) {
    return lockstep::simt::cuda::dot<unsigned short, unsigned char>(a, b, 0, c);
}
inline unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) {
    return lockstep::simt::cuda::dot<unsigned short, unsigned char>(a, b, 2, c);
}
inline int __dp2a_lo(short2 a, char4 b, int c) {
    using lockstep::simt::cuda::packed;
    return __dp2a_lo(static_cast<int>(packed(a)), static_cast<int>(packed(b)), c);
}
inline int __dp2a_hi(short2 a, char4 b, int c) {
    using lockstep::simt::cuda::packed;
    return __dp2a_hi(static_cast<int>(packed(a)), static_cast<int>(packed(b)), c);
}
inline unsigned __dp2a_lo(ushort2 a, uchar4 b, unsigned c) {
    using lockstep::simt::cuda::packed;
    return __dp2a_lo(packed(a), packed(b), c);
}
inline unsigned __dp2a_hi(ushort2 a, uchar4 b, unsigned c) {
    using lockstep::simt::cuda::packed;
    return __dp2a_hi(packed(a), packed(b), c);
}
// NOLINTEND(bugprone-reserved-identifier)
