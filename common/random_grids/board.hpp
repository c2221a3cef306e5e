#pragma once
// A board with pieces of several colours.

#include <cstddef>
#include <vector>

#include "common/random_grids/workload.hpp"

namespace lockstep::random_grids {

// Row by row; 0 is an empty site, colours count from 1.
struct Board {
    Shape shape;
    std::vector<unsigned char> sites;

    unsigned char at(unsigned row, unsigned column) const { return sites[std::size_t{row} * shape.width + column]; }
};

}  // namespace lockstep::random_grids
