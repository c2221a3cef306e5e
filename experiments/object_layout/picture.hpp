#pragma once
// Draws a network with its agents (Figure 1).

#include <cstdint>
#include <vector>

#include "common/object_layout/network.hpp"
#include "experiments/object_layout/street_map.hpp"
#include "harness/bench/png.hpp"

namespace lockstep::object_layout {

struct AgentPoint {
    unsigned type;
    unsigned street;
    float progress;
    float speed;  // of a car, in miles per hour
};

// A map of the streets, drawn again for each picture of the same network.
class Picture {
public:
    explicit Picture(Network const& network);

    // Cars are coloured by speed, pedestrians are pale and small. `tick` stands in the legend.
    bench::Image with(std::vector<AgentPoint> const& agents, std::uint64_t tick) const;

private:
    Place place_of(AgentPoint const& agent) const;

    Network const* network_;
    std::vector<Segment> streets_;  // in pixels
    bench::Image map_;
};

// From slow (dark blue) over red to fast (yellow), for a share from 0 to 1.
bench::Colour speed_colour(double share);

}  // namespace lockstep::object_layout
