#pragma once
// The columns of the bodies.

#include "kernels/object_layout/library/device_columns.hpp"

namespace lockstep::object_layout::LOCKSTEP_MACHINE {

struct BodyColumns {
    DeviceColumn<float> x, y, z, velocity_x, velocity_y, velocity_z, mass;
    unsigned size;
};

}  // namespace lockstep::object_layout::LOCKSTEP_MACHINE
