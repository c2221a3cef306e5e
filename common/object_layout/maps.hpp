#pragma once
// Programs maps and bodies: what their variants compute, alike on all machines.
//
// maps    element i starts as a float made of its number; map m of the chain is x <- x * a_m + b_m, rounded twice. A
// unit is
//         an element; its result the float's bits.
// bodies  n bodies in space that attract one another (a second object program, of another kind: every object reads all
//         others). A unit is a body; its result are position and velocity after all ticks.

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

    // Pulled by all bodies for a tick, in their order; then moved, once all have been pulled.
    void pull(std::vector<Body*> const& bodies);
    void move();
};

inline constexpr float tick_length = 0.01f;
inline constexpr float softening = 0.05f;

std::vector<Body> make_bodies(bench::Problem const& problem);

// A body after all ticks: the reference. All are simulated at the first call and kept.
bench::UnitResult body_after(bench::Problem const& problem, std::uint64_t unit);

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
