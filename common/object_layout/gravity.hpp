#pragma once
// Gravity of n bodies in operations that all machines round alike: no division, square root or special-function unit.
// This is another algorithm than that of program bodies' first reference (Body::pull), so it has a reference of its own
// (bodies_in_parts.cpp).
//
// The pull of a body of mass m at squared distance q is m q^(-3/2). Let y be the float whose bits are a constant less
// half of the bits of q, an approximation of q^(-1/2) (Lomont, "Fast inverse square root", 2003), and r = 1 - q y^2.
// Then q^(-3/2) = y^3 (1 - r)^(-3/2) exactly. With this constant |r| < 0.0682 for all normal floats, where the
// polynomial of degree 4 in r has a relative error below 2.6e-7. It interpolates at Chebyshev nodes.
//
// Forces are summed in force_parts partial sums: that of part k is over the bodies k, k + force_parts, ..., in this
// order. The partial sums are folded by halving. So one lane per body and one lane per partial sum have the same bits.

#include "harness/simt/kernel.hpp"

namespace lockstep::object_layout {

inline constexpr unsigned force_parts = 8;

struct Force {
    float x, y, z;
};

}  // namespace lockstep::object_layout

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

// mass x square^(-3/2) for a normal positive square.
__host__ __device__ inline float pull_of(float square, float mass) {
    float const y = __builtin_bit_cast(float, 0x5f374657u - (__builtin_bit_cast(unsigned, square) >> 1));
    float const y2 = y * y;
    float const r = fmaf(-square, y2, 1.0f);
    float series = fmaf(2.4785943f, r, 2.2032907f);
    series = fmaf(series, r, 1.8749782f);
    series = fmaf(series, r, 1.4999816f);
    series = fmaf(series, r, 1.0f);
    return mass * y * y2 * series;
}

// Adds to `force` the pull of a body at distance (x, y, z).
__host__ __device__ inline void add_pull(float x, float y, float z, float mass, float softening_square, Force& force) {
    float const square = fmaf(z, z, fmaf(y, y, fmaf(x, x, softening_square)));
    float const pull = pull_of(square, mass);
    force = {fmaf(x, pull, force.x), fmaf(y, pull, force.y), fmaf(z, pull, force.z)};
}

__host__ __device__ inline Force sum_of(Force const& a, Force const& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
