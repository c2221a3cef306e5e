#pragma once
// The traffic simulation (Section 2): its parameters as read from the axes, and what all variants derive from them: the
// network, the initial agents and the table of mode faithful.
//
// A unit is an agent. Agents are numbered by class: first all of class 0, then all of class 1, and so on. Even classes
// are cars, odd classes are pedestrians. Class 0 is the paper's Car and class 1 its Pedestrian. A class of kind
// k = class / 2 has the speed:
//
//   car         speed = min(max_velocity (1 - k/32), the street's) x weather
//   pedestrian  speed = r - 2, r uniform on 0 .. 6 + k, in any weather
//
// The mode defines a tick:
//
//   live        progress <- progress + speed x (1/60), in single precision; never below 0
//   faithful    progress <- progress + speed / 60.0, the division and the sum in double precision, rounded to single;
//               r is the static table's entry at (int)(progress^2) mod its size, modulo 7 + k; progress may be negative
//
// At progress >= length the agent moves to the start of a neighbour: a random one in mode live, and in mode faithful
// the one that the table's entry for the street selects. Without a neighbour it makes a U-turn to the start of its
// street. The result of a unit is its progress (the bits of a float) and its street after all ticks.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/object_layout/network.hpp"
#include "harness/bench/variant.hpp"

namespace lockstep::object_layout {

enum class Mode { faithful, live };

inline constexpr unsigned max_types = 32;

struct Traffic {
    std::uint64_t seed = 0;
    std::uint64_t cars = 0;
    std::uint64_t pedestrians = 0;
    unsigned types = 2;  // classes of agents; 1: all agents are cars
    unsigned ticks = 0;
    float weather = 1;  // factor of a car's speed
    Mode mode = Mode::live;
    std::shared_ptr<Network const> network;
    std::vector<unsigned> table;  // a 31-bit word per street
    // The number of each class's first agent; the last entry is the number of agents.
    std::vector<std::uint64_t> first_of_type;

    std::uint64_t agents() const { return cars + pedestrians; }
    unsigned type_of(std::uint64_t number) const;
};

// The state of an agent before the first tick.
struct Birth {
    unsigned street;
    float progress;
    float max_velocity;
};

Birth birth_of(std::uint64_t seed, unsigned streets, std::uint64_t number);

Mode mode_from_string(std::string const& name);      // throws bench::Error
float weather_from_string(std::string const& name);  // good: 1, bad (the paper's Rainy): 0.75; throws bench::Error

// Computes the table and first_of_type from the other members. Throws bench::Error if the counts are invalid (see
// check_traffic).
Traffic make_traffic(Traffic traffic);

// Returns the simulation that the axes describe. The most recent one is cached.
std::shared_ptr<Traffic const> traffic_of(bench::Problem const& problem);
std::uint64_t agents_of(bench::Axes const& axes);

// Returns the network that the axes network and streets name. The most recent one is kept.
std::shared_ptr<Network const> network_of(bench::Axes const& axes, std::uint64_t seed);

// Throws bench::Error if there are too many classes or agents, or there are agents but no streets.
void check_traffic(bench::Axes const& axes);
// Throws bench::Error if there are elements, which are people or vehicles, but no streets.
void check_streets(bench::Axes const& axes);

}  // namespace lockstep::object_layout
