#pragma once
// Where the streets of a network are drawn.

#include <vector>

#include "common/object_layout/network.hpp"

namespace lockstep::object_layout {

struct Place {
    double x = 0;
    double y = 0;
};

struct Segment {
    Place from, to;
};

// A segment per street, in the unit square. A city has places of its own. Streets from a file meet in their junctions,
// which a spring layout places. A random network has no geography: its streets get the places of a city's streets, so
// that the next street of an agent can be anywhere on the map.
std::vector<Segment> street_map(Network const& network);

}  // namespace lockstep::object_layout
