#pragma once
// The meaning of class numbers: even classes are cars, odd classes are pedestrians (traffic.hpp).

#include "harness/simt/kernel.hpp"

namespace lockstep::object_layout {

__host__ __device__ constexpr bool is_car(unsigned type) { return type % 2 == 0; }

// k in the formulas of traffic.hpp: 0 for the paper's Car and Pedestrian.
__host__ __device__ constexpr unsigned kind_of(unsigned type) { return type / 2; }

}  // namespace lockstep::object_layout
