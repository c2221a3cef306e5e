#pragma once
// Draws a network with its agents (Figure 1).

#include <cstdint>
#include <vector>

#include "common/object_layout/network.hpp"
#include "harness/bench/png.hpp"

namespace lockstep::object_layout {

struct AgentPoint {
    unsigned type;
    unsigned street;
    float progress;
};

// Draws streets from a file as lines between their junctions, which a spring layout places. A random network has no
// junctions: its streets are radial lines around a circle, to scale. Cars are red, pedestrians blue.
bench::Image draw_network(Network const& network, std::vector<AgentPoint> const& agents);

}  // namespace lockstep::object_layout
