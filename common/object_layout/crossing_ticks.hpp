#pragma once
// How many ticks a car takes from the start of a street to its end. This depends on the street and on the car's maximum
// velocity, which has few values, so a table replaces the ticks between two streets.

#include <vector>

#include "common/object_layout/traffic.hpp"
#include "harness/simt/kernel.hpp"

namespace lockstep::object_layout {

// The maximum velocities of cars: min_car_velocity, min_car_velocity + 1, ... (initial_agent.hpp).
inline constexpr unsigned min_car_velocity = 65;
inline constexpr unsigned car_velocities = 20;

// Returns the column of a maximum velocity in the table, or car_velocities if it has none.
__host__ __device__ constexpr unsigned velocity_column(float max_velocity) {
    if (!(max_velocity >= static_cast<float>(min_car_velocity) &&
          max_velocity < static_cast<float>(min_car_velocity + car_velocities))) {
        return car_velocities;
    }
    unsigned const whole = static_cast<unsigned>(max_velocity);
    return static_cast<float>(whole) == max_velocity ? whole - min_car_velocity : car_velocities;
}

// Returns a row of car_velocities entries per street, for each kind of car in turn: the ticks from progress 0 to the
// end of the street, or 0 if they are more than 255.
std::vector<unsigned char> crossing_ticks(Traffic const& traffic);

}  // namespace lockstep::object_layout
