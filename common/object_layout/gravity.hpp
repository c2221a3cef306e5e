#pragma once
// Gravity of n bodies in operations that all machines round alike: no division, square root or special-function unit.
// This is another algorithm than that of program bodies' first reference (Body::pull), so it has a reference of its own
// (bodies_in_parts.cpp).
//
// The pull of a body of mass m at squared distance q is m q^(-3/2). Let y be the float whose bits are a constant less
// half of the bits of q, an approximation of q^(-1/2) (Lomont, "Fast inverse square root", 2003), and u = q y^2. Then
// q^(-3/2) = y^3 u^(-3/2) exactly. With this constant, u is between 0.9318 and 1.0681 for all normal floats, where the
// minimax polynomial of degree 4 in u has a relative error below 2.5e-7.
//
// Such a polynomial takes four operations by Horner's rule. Knuth's preconditioning (The Art of Computer Programming,
// volume 2, Section 4.6.4) saves one: with v = u - 0.867..., t = v^2 + b and constants b, k, c, it is a multiple of
// (t + k v) t + c. No term cancels: all are positive. The factor is part of the masses (`pulling_mass`).
//
// Forces are summed in an order in which each pair of bodies can be computed once, for both (bodies_tiles.cu). A body's
// force is the sum over tiles of bodies_per_tile bodies. That of a tile is the sum of its parts of bodies_per_part
// bodies each. Let i and j be the places of two bodies in their tiles: body i meets body j at step i xor j, and
// therefore body j meets body i at the same step.

#include "harness/simt/kernel.hpp"

namespace lockstep::object_layout {

inline constexpr unsigned bodies_per_part = 128;
inline constexpr unsigned parts_per_tile = 4;
inline constexpr unsigned bodies_per_tile = parts_per_tile * bodies_per_part;

struct Force {
    float x, y, z;
};

}  // namespace lockstep::object_layout

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

// The factor of a body's mass in the forces on others: the leading coefficient of the polynomial.
__host__ __device__ inline float pulling_mass(float mass) { return mass * 2.4759503f; }

// square^(-3/2) for a normal positive square, divided by the factor of pulling_mass().
__host__ __device__ inline float pull_of(float square) {
    float const y = __builtin_bit_cast(float, 0x5f374657u - (__builtin_bit_cast(unsigned, square) >> 1));
    float const y2 = y * y;
    float const v = fmaf(square, y2, -0.86778275f);
    float const t = fmaf(v, v, 0.60756997f);
    float const series = fmaf(fmaf(v, -1.4187436f, t), t, 0.13044475f);
    return y * y2 * series;
}

// The pull over the distance (x, y, z), to be multiplied by the other body's pulling_mass() and the distance.
__host__ __device__ inline float pull_over(float x, float y, float z, float softening_square) {
    return pull_of(fmaf(z, z, fmaf(y, y, fmaf(x, x, softening_square))));
}

// Adds to `force` the pull of a body at distance (x, y, z).
__host__ __device__ inline void add_force(float x, float y, float z, float pull, Force& force) {
    force = {fmaf(x, pull, force.x), fmaf(y, pull, force.y), fmaf(z, pull, force.z)};
}

__host__ __device__ inline Force sum_of(Force const& a, Force const& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
