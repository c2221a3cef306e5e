#pragma once
// Remainders by a number that is known before a launch, without a division.

#include "harness/simt/kernel.hpp"

namespace lockstep::object_layout {

// x mod size for x < 2^31 without a division, 2 <= size <= 2^31: Granlund and Montgomery, "Division by invariant
// integers using multiplication", PLDI 1994, Theorem 4.2 with 31-bit numbers: for 2^(l-1) < size <= 2^l, the multiplier
// ceil(2^(31+l) / size) has 32 bits and exceeds 2^(31+l) / size by less than 1 <= 2^l / size.
struct Remainder {
    unsigned size = 2;
    unsigned multiplier = 1u << 31;
    unsigned shift = 0;  // l - 1

    static Remainder by(unsigned size) {
        Remainder made = {size, 0, 0};
        while ((2ull << made.shift) < size)
            ++made.shift;
        made.multiplier = static_cast<unsigned>(((1ull << (32 + made.shift)) + size - 1) / size);
        return made;
    }
    __host__ __device__ unsigned of(unsigned x) const {
        unsigned const quotient = static_cast<unsigned>((1ull * x * multiplier) >> 32) >> shift;
        return x - quotient * size;
    }
};

}  // namespace lockstep::object_layout
