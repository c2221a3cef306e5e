#pragma once
// The description of the simulation's classes and methods for the library.

#include "kernels/object_layout/library/class_model.hpp"

namespace lockstep::object_layout {

// Describes Street, Agent, Car and Pedestrian (reference_cpu/object_layout/world.hpp), and the fields that their method
// `move` reads and writes. In mode faithful the method is `move_by_table`, which also reads a street's number.
ClassModel const& traffic_model();

}  // namespace lockstep::object_layout
