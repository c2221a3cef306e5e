#pragma once
// The definition of programs maps and bodies for all machines.
//
// maps: element i starts as a float derived from its number. Map m of the chain is x <- x * a_m + b_m, rounded twice. A
// unit is an element; its result is the bits of the float.
//
// bodies: n bodies in space that attract one another. This is a second kind of object program, in which every object
// reads all others. A unit is a body; its result is its position and velocity after all ticks.

#include <string>
#include <vector>

#include "harness/bench/variant.hpp"
#include "harness/simt/kernel.hpp"

namespace lockstep::object_layout {

inline constexpr unsigned max_maps = 8;

class Body {
public:
    float x = 0, y = 0, z = 0;
    float velocity_x = 0, velocity_y = 0, velocity_z = 0;
    float mass = 0;

    // One tick: call pull() for every body, which adds the forces of all bodies in their order, and then move() for
    // every body.
    void pull(std::vector<Body*> const& bodies);
    void move();
};

inline constexpr float tick_length = 0.01f;
inline constexpr float softening = 0.05f;

std::vector<Body> make_bodies(bench::Problem const& problem);

// The reference: a body after all ticks. The first call simulates and stores all bodies.
bench::UnitResult body_after(bench::Problem const& problem, std::uint64_t unit);

// The same with the pulls of gravity.hpp.
bench::UnitResult body_in_parts_after(bench::Problem const& problem, std::uint64_t unit);

std::string maps_unsupported_reason(bench::Axes const& axes);
std::string bodies_unsupported_reason(bench::Axes const& axes);

}  // namespace lockstep::object_layout

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

__host__ __device__ inline float element_at(unsigned long long i) {
    return static_cast<float>(i % 4096) * 0.25f - 512.0f;
}

__host__ __device__ inline float map_element(unsigned map, float x) {
    float const factor = 1.0f + 0.125f * static_cast<float>(map % 4);
    return x * factor + (0.5f - static_cast<float>(map));
}

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
