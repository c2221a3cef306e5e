#pragma once
// Many ticks of an agent that advances by a constant step, in few operations and with the bits of one rounded addition
// per tick.
//
// Why this is exact. Floats in [2^e, 2^(e+1)) are the multiples of u = 2^(e-23), and their bits, read as an integer,
// grow by 1 per u. Let q = step / u be the real quotient and let p, p + step and p + 2 step, each rounded, stay in this
// binade.
//
//   - If q is not an integer plus 1/2, each addition rounds q u to the nearest multiple of u, whatever p is: the bits
//     grow by round(q) per tick.
//   - If q is an integer plus 1/2, each sum is a tie, which goes to an even multiple of u. So from the first sum on,
//     all multiples are even, and the growth is the even one of the two integers beside q.
//
// In both cases the growth from the first to the second sum is that of every further tick whose result stays below
// 2^(e+1). Positive floats are ordered as their bits are, so one integer division counts the ticks up to the end of the
// binade or of the street.

#include "harness/simt/kernel.hpp"

namespace lockstep::object_layout {

// The progress after some ticks. It is below the length unless the last of these ticks reached the end of the street.
struct Leg {
    float progress;
    unsigned ticks;
};

}  // namespace lockstep::object_layout

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

// Adds the step once per tick, until the progress is at least `length` or `limit` ticks are over.
__host__ __device__ inline Leg add_ticks(float progress, float step, float length, unsigned limit) {
    unsigned ticks = 0;
    while (ticks < limit) {
        progress = progress + step;
        ++ticks;
        if (progress >= length) {
            break;
        }
    }
    return {progress, ticks};
}

// The same with one division per binade. Requires progress >= 0, step > 0 and length > 0, all finite.
__host__ __device__ inline Leg skip_ticks(float progress, float step, float length, unsigned limit) {
    unsigned ticks = 0;
    while (ticks < limit) {
        unsigned const start = __builtin_bit_cast(unsigned, progress);
        progress = progress + step;
        ++ticks;
        unsigned const first = __builtin_bit_cast(unsigned, progress);
        if (progress >= length || ticks == limit) {
            break;
        }
        if (first >> 23 != start >> 23) {
            continue;
        }
        progress = progress + step;
        ++ticks;
        unsigned const second = __builtin_bit_cast(unsigned, progress);
        if (progress >= length) {
            break;
        }
        if (second >> 23 != start >> 23) {
            continue;
        }
        // The last float below the ends of the binade and of the street, and the ticks whose results do not exceed it.
        unsigned const end_of_binade = second | 0x7fffffu;
        unsigned const end_of_street = __builtin_bit_cast(unsigned, length) - 1;
        unsigned const room = (end_of_binade < end_of_street ? end_of_binade : end_of_street) - second;
        unsigned const growth = second - first;
        unsigned const left = limit - ticks;
        unsigned const skipped = growth == 0 || room / growth > left ? left : room / growth;
        progress = __builtin_bit_cast(float, second + skipped * growth);
        ticks += skipped;
    }
    return {progress, ticks};
}

// The faster of both: streets of the paper's network take at most 45 ticks.
__host__ __device__ inline Leg advance_ticks(float progress, float step, float length, unsigned limit) {
    constexpr unsigned few = 48;
    Leg const begun = add_ticks(progress, step, length, limit < few ? limit : few);
    if (begun.ticks == limit || begun.progress >= length) {
        return begun;
    }
    Leg const rest = skip_ticks(begun.progress, step, length, limit - begun.ticks);
    return {rest.progress, begun.ticks + rest.ticks};
}

// The same in mode faithful: the sum of a double step in double precision, rounded to single.
__host__ __device__ inline Leg advance_ticks(float progress, double step, float length, unsigned limit) {
    unsigned ticks = 0;
    while (ticks < limit) {
        progress = static_cast<float>(static_cast<double>(progress) + step);
        ++ticks;
        if (progress >= length) {
            break;
        }
    }
    return {progress, ticks};
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
