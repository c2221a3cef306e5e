#pragma once
// A network with its agents as a picture (Figure 1).

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

// Streets of a file are lines between their junctions, which springs along the streets have spread out; a random
// network has none, and its streets stand around a circle, as long as they are. Cars are red, pedestrians blue.
bench::Image draw_network(Network const& network, std::vector<AgentPoint> const& agents);

}  // namespace lockstep::object_layout
