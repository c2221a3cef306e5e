#pragma once
// The traffic simulation (Section 2): what is asked for, in the words of the axes, and what follows from it alike for
// every variant: the network, who the agents are, the table of mode faithful.
//
// A unit is an agent. Agents are numbered by class: first all of class 0, then all of class 1. Even classes are cars,
// odd ones pedestrians; class 0 is the paper's Car and class 1 its Pedestrian. Of further classes, kind k = class / 2:
//
//   car         speed = min(max_velocity (1 - k/32), the street's) x weather
//   pedestrian  speed = r - 2, r uniform on 0 .. 6 + k; weather does not matter
//
//   live        progress <- progress + speed x (1/60), in single precision; not below 0
//   faithful    progress <- progress + speed / 60.0, the division and the sum in double precision, rounded to single;
//               r comes from the static table, at (int)(progress^2) mod its size, by remainder; it may go below 0
//
// At progress >= length the agent goes on to the start of a neighbour, drawn in live, at the street's number in the
// table in faithful; where there is none it makes a U-turn to the start of its street. The result of a unit is its
// progress (the bits of a float) and its street after all ticks.

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
    unsigned types = 2;  // classes of agents; 1: everybody is a car
    unsigned ticks = 0;
    float weather = 1;  // factor of a car's speed
    Mode mode = Mode::live;
    std::shared_ptr<Network const> network;
    std::vector<unsigned> table;  // a word of 31 bits a street
    std::vector<std::uint64_t>
        first_of_type;  // of classes 0 .. types: the number of their first agent, then all agents

    std::uint64_t agents() const { return cars + pedestrians; }
    unsigned type_of(std::uint64_t number) const;
};

// What an agent is before the first tick.
struct Birth {
    unsigned street;
    float progress;
    float max_velocity;
};

Birth birth_of(std::uint64_t seed, unsigned streets, std::uint64_t number);

Mode mode_from_string(std::string const& name);      // throws bench::Error
float weather_from_string(std::string const& name);  // good: 1, bad (the paper's Rainy): 0.75; throws bench::Error

// Fills in what follows from the numbers. Throws bench::Error for agents without a street.
Traffic make_traffic(Traffic asked);

// The simulation that the axes name. Networks are kept, so that asking for the same one again is cheap.
std::shared_ptr<Traffic const> traffic_of(bench::Problem const& problem);
std::uint64_t agents_of(bench::Axes const& axes);

// Throws bench::Error for more classes than there are, more agents than a case takes, agents without a street.
void check_traffic(bench::Axes const& axes);

}  // namespace lockstep::object_layout
