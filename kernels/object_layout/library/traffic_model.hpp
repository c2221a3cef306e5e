#pragma once
// The simulation's classes and methods, described to the library.

#include "kernels/object_layout/library/class_model.hpp"

namespace lockstep::object_layout {

// Street, Agent, Car and Pedestrian (reference_cpu/object_layout/world.hpp), and what their method `move` reads and
// writes; in mode faithful, `move_by_table`, which also reads a street's number.
ClassModel const& traffic_model();

}  // namespace lockstep::object_layout
